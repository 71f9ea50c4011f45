import { getTableColumns, sql, type Column, type SQL } from 'drizzle-orm'
import { bareName, type Database, type PayloadTable } from '../../src/core/database/database.js'
import { numberOf, type BenchDatabase } from './bench-database.js'
import { lists } from './visitor.js'

// The only place of the benches that knows how sends are stored.
const sendsOf = (database: Database) => database.table('marketing-sends')

/**
 * The second phase of every measurement: of each post that was answered with success the event is
 * stored, and the list if it named one, once.
 *
 * @throws when one is missing or doubled.
 */
export async function checkStored(
  { database }: BenchDatabase,
  { prefix, posts, withList }: { prefix: string; posts: number; withList: boolean },
): Promise<void> {
  const table = sendsOf(database)
  const like = `email:${prefix}-%`
  for (const kind of withList ? ['event', 'list-add'] : ['event']) {
    const isOfKind = sql`${table.profile} like ${like} and ${table.kind} = ${sql.raw(`'${kind}'`)}`
    const rows = await numberOf(database, sql`select count(*) from ${table} where ${isOfKind}`)
    const people = await numberOf(
      database,
      sql`select count(distinct ${table.profile}) from ${table} where ${isOfKind}`,
    )
    if (rows !== posts || people !== posts) {
      throw new Error(`${posts} posts were accepted, ${rows} (${kind}) of ${people} are stored.`)
    }
  }
}

/** Makes room for the next round. */
export const forgetStored = async ({ database }: BenchDatabase): Promise<void> =>
  database.run(sql`delete from ${sendsOf(database)}`).then(() => undefined)

/** How many sends are in a state. */
export const countSends = ({ database }: BenchDatabase, state: string): Promise<number> => {
  const table = sendsOf(database)
  return numberOf(
    database,
    sql`select count(*) from ${table} where ${table.state} = ${sql.raw(`'${state}'`)}`,
  )
}

type Values = Record<string, SQL>

/**
 * Adds that many posts that are due, each of a person of its own, within the database: an event, and
 * with a list right behind it the person's place on that.
 */
export async function seedWaiting(
  { database }: BenchDatabase,
  { posts, withList }: { posts: number; withList: boolean },
): Promise<void> {
  const numbers = sql`with recursive "numbers"("n") as (
    select 1 union all select "n" + 1 from "numbers" where "n" < ${sql.raw(String(posts))})`
  const rows = [eventValues(), ...(withList ? [listValues()] : [])]
  for (const [place, values] of rows.entries()) {
    const id = sql`"n" * ${sql.raw(String(rows.length))} + ${sql.raw(String(place))}`
    await insert(database, numbers, { id, ...values })
  }
  if (!database.isSqlite) {
    await database.run(sql`select setval(pg_get_serial_sequence('marketing_sends', 'id'),
      (select max("id") from ${sendsOf(database)}))`)
  }
  await database.run(database.isSqlite ? sql`analyze` : sql`vacuum analyze`)
}

const text = (of: string) => sql.raw(`'${of}'`)
const email = sql`'waiting-' || "n" || '@bench.example'`

const dueValues = (): Values => {
  const due = text(new Date(Date.now() - 60_000).toISOString())
  return {
    state: text('queued'),
    profile: sql`'email:' || ${email}`,
    acceptedAt: due,
    nextAttemptAt: due,
    bytes: sql.raw('200'),
    attempts: sql.raw('0'),
    crashes: sql.raw('0'),
  }
}

const eventValues = (): Values => ({
  ...dueValues(),
  kind: text('event'),
  metric: text('Asked about tea'),
  uniqueId: sql`'waiting-' || "n"`,
  key: sql`'event:waiting-' || "n"`,
  message: sql`'{"kind":"event","profile":{"email":"' || ${email} || '","firstName":"Anna"},"event":{"name":"Asked about tea","uniqueId":"waiting-' || "n" || '","properties":{"Tea":"Sencha","Page":"/tea/sencha"}}}'`,
})

/** Seven times in ten a list, else a subscription to it. */
const listValues = (): Values => {
  const either = (listAdd: string, subscription: string) =>
    sql`case when "n" % 10 < 7 then ${text(listAdd)} else ${text(subscription)} end`
  const list = sql`case "n" % 2 when 0 then ${text(lists[0])} else ${text(lists[1])} end`
  const kind = either('list-add', 'subscribe')
  const channels = either('', ',"channels":["email"]')
  return {
    ...dueValues(),
    kind,
    list,
    key: sql`'list:waiting-' || "n"`,
    message: sql`'{"kind":"' || ${kind} || '","profile":{"email":"' || ${email} || '"},"list":"' || ${list} || '"' || ${channels} || '}'`,
  }
}

/** Of the values those that the table has a column for. */
async function insert(database: Database, numbers: SQL, values: Values): Promise<void> {
  const table: PayloadTable = sendsOf(database)
  const columns = getTableColumns(table) as Record<string, Column>
  const filled = Object.entries(values).flatMap(([name, value]) => {
    const column = columns[name]
    return column === undefined ? [] : [{ column, value: typed(database, column, value) }]
  })
  const list = (parts: SQL[]) => sql.join(parts, sql`, `)
  const names = list(filled.map(({ column }) => bareName(column)))
  await database.run(
    database.isSqlite
      ? sql`insert into ${table} (${names}) ${numbers} select ${list(filled.map(({ value }) => value))} from "numbers"`
      : sql`${numbers} insert into ${table} (${names}) select ${list(filled.map(({ value }) => value))} from "numbers"`,
  )
}

function typed({ isSqlite }: Database, column: Column, value: SQL): SQL {
  if (isSqlite) return value
  const type = column.getSQLType().replace('serial', 'integer')
  const isNamed = column.columnType === 'PgEnumColumn'
  return sql`cast(${value} as ${isNamed ? sql.identifier(type) : sql.raw(type)})`
}
