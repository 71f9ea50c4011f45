import { sql } from 'drizzle-orm'
import { sendTable } from '../../src/store/payload/outbox/send-table.js'
import { numberOf, type BenchDatabase } from './bench-database.js'

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
  const { table, bare } = sendTable(database)
  const like = `email:${prefix}-%`
  for (const kind of withList ? ['event', 'list-add'] : ['event']) {
    const isOfKind = sql`${bare.profile} like ${like} and ${bare.kind} = ${sql.raw(`'${kind}'`)}`
    const rows = await numberOf(database, sql`select count(*) from ${table} where ${isOfKind}`)
    const people = await numberOf(
      database,
      sql`select count(distinct ${bare.profile}) from ${table} where ${isOfKind}`,
    )
    if (rows !== posts || people !== posts) {
      throw new Error(`${posts} posts were accepted, ${rows} (${kind}) of ${people} are stored.`)
    }
  }
}

/** Makes room for the next round. */
export async function forgetStored({ database }: BenchDatabase): Promise<void> {
  const { table } = sendTable(database)
  await database.run(sql`delete from ${table}`)
}

/** Adds that many events that are due, each of a person of its own, within the database. */
export async function seedWaiting({ database }: BenchDatabase, count: number): Promise<void> {
  const { table, bare, choice, time } = sendTable(database)
  const due = new Date(Date.now() - 60_000)
  const numbers = database.isSqlite
    ? sql`with recursive "numbers"("n") as (select 1 union all select "n" + 1 from "numbers" where "n" < ${count})
        select "n" from "numbers"`
    : sql`select "n" from generate_series(1, ${count}::integer) as "series"("n")`
  const email = sql`'waiting-' || "n" || '@bench.example'`
  const text = (of: string) => sql.raw(`'${of}'`)
  const json = sql`'{"kind":"event","profile":{"email":"' || ${email} || '","firstName":"Anna"},"event":{"name":"Asked about tea","uniqueId":"waiting-' || "n" || '","properties":{"Tea":"Sencha","Page":"/tea/sencha"}}}'`
  const values = {
    state: choice('state', text('queued')),
    kind: choice('kind', text('event')),
    lane: text('events'),
    profile: sql`'email:' || ${email}`,
    metric: text('Asked about tea'),
    uniqueId: sql`'waiting-' || "n"`,
    key: sql`'event:waiting-' || "n"`,
    message: database.isSqlite ? json : sql`(${json})::jsonb`,
    bytes: sql.raw('200'),
    acceptedAt: time(due),
    nextAttemptAt: time(due),
    attempts: sql.raw('0'),
    isolation: sql.raw('0'),
    alone: sql.raw('false'),
    crashes: sql.raw('0'),
  }
  const fields = Object.keys(values) as (keyof typeof values)[]
  const list = (parts: ReturnType<typeof text>[]) => sql.join(parts, sql`, `)
  await database.run(sql`insert into ${table} (${list(fields.map((field) => bare[field]))})
    select ${list(fields.map((field) => values[field]))} from (${numbers}) as "numbered"`)
  await database.run(database.isSqlite ? sql`analyze` : sql`vacuum analyze`)
}
