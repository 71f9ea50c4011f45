import { createHash, randomBytes } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { ListedPage, OrderList, OrderSelection } from '../order-list.js'
import { bareName, column, type Database } from './database.js'
import { listBounds } from './list-bounds.js'
import { listsSlug } from './list-collection.js'
import { orderCondition } from './order-condition.js'

/** How long a list answers for the later pages of its export. */
export const listLifetimeMs = 60 * 60 * 1000

/** More orders than a table has; the databases refuse a LIMIT of more than 64 bits. */
const largestLimit = 2 ** 40

/**
 * Fixes the ordered ids of an export with one statement inside the database: it sees one moment,
 * and the ids never travel through this process. An export of one page needs no list
 * (`docs/decisions/0002-fixed-export-lists.md`).
 */
export function createOrderList(
  database: Database,
  options: ResolvedOptions,
  now: () => Date,
): OrderList {
  const lists = database.table(listsSlug)
  const orders = database.table(options.collections.orders)
  const at = {
    key: column(lists, 'key'),
    list: column(lists, 'list'),
    start: column(lists, 'start'),
    size: column(lists, 'size'),
    ids: column(lists, 'ids'),
    total: column(lists, 'total'),
    createdAt: column(lists, 'createdAt'),
  }
  const id = column(orders, 'id')
  const updatedAt = column(orders, 'updatedAt')
  const oldest = () => new Date(now().getTime() - listLifetimeMs).toISOString()

  /** The first ids, and one more where there is a second page. */
  const readFirst = async (selection: OrderSelection): Promise<DocumentId[]> => {
    const most = Math.min(selection.pageSize, largestLimit) + 1
    const rows = await database.rows(sql`select ${id} as "id" from ${orders}
      where ${orderCondition(orders, selection)} order by ${updatedAt}, ${id} limit ${most}`)
    return rows.map((row) => row.id as DocumentId)
  }

  /** Forgets the lists of this key from before a moment, and every list that has expired. */
  const forget = (key: string, before: string): SQL =>
    sql`delete from ${lists}
      where (${at.key} = ${key} and ${at.createdAt} < ${before}) or ${at.createdAt} < ${oldest()}`

  const build = (selection: OrderSelection, list: NewList, bounds: string[]): SQL => {
    const [from, to] = [sql.identifier('from'), sql.identifier('to')]
    const within = database.isSqlite
      ? sql`${updatedAt} >= ${from} and ${updatedAt} < ${to}`
      : sql`${updatedAt} >= ${from}::timestamptz and ${updatedAt} < ${to}::timestamptz`
    // The window is in the bounds alone: with it as a second range, SQLite may seek by the wrong one.
    const condition = orderCondition(orders, { ...selection, window: undefined })
    // Number and ids in one text, as a scalar subquery has one column. SQLite's aggregate takes the
    // order of its subquery, PostgreSQL's has its own.
    const packed = database.isSqlite
      ? sql`select count(*) || ';' || group_concat("id", ',') from (select ${id} as "id" from ${orders}
          where ${condition} and ${within} order by ${updatedAt}, ${id})`
      : sql`select count(*) || ';' || string_agg(${id}::text, ',' order by ${updatedAt}, ${id})
          from ${orders} where ${condition} and ${within}`
    const semicolon = database.isSqlite ? sql`instr("packed", ';')` : sql`strpos("packed", ';')`
    const size = sql`cast(substr("packed", 1, ${semicolon} - 1) as integer)`
    const names = [at.key, at.list, at.start, at.size, at.total, at.ids, at.createdAt]
    const createdAt = database.isSqlite
      ? sql`${list.createdAt}`
      : sql`${list.createdAt}::timestamptz`
    return sql`with "bounds"("part", "from", "to") as (values ${boundRows(edgesOf(selection, bounds, database.isSqlite))}),
        "parts" as materialized (select "part", (${packed}) as "packed" from "bounds"),
        "sized" as (select "part", ${size} as "size", substr("packed", ${semicolon} + 1) as "ids"
          from "parts" where "packed" is not null)
      insert into ${lists} (${sql.join(names.map(bareName), sql`, `)})
      select ${list.key}, ${list.id}, sum("size") over (order by "part") - "size",
        "size", sum("size") over (), "ids", ${createdAt} from "sized"`
  }

  const fix = async (selection: OrderSelection, key: string): Promise<void> => {
    const list = { key, id: randomBytes(8).toString('hex'), createdAt: now().toISOString() }
    const statements = [
      database.run(build(selection, list, await listBounds(database, orders))),
      database.run(forget(key, list.createdAt)),
    ]
    if (database.isSqlite) await database.batch(statements)
    else for (const statement of statements) await statement
  }

  /** A slice of the newest list that has not expired; undefined when there is none. */
  const readSlice = async (
    { pageSize }: OrderSelection,
    key: string,
    page: number,
  ): Promise<ListedPage | undefined> => {
    const first = (page - 1) * pageSize
    const newest = sql`select ${at.list} from ${lists}
      where ${at.key} = ${key} and ${at.createdAt} >= ${oldest()}
      order by ${at.createdAt} desc, ${at.list} desc limit 1`
    // The part at 0 is always read: a page past the end needs the total as well.
    const rows = await database.rows(sql`select ${at.start} as "start", ${at.total} as "total",
        case when ${at.start} + ${at.size} > ${first} then ${at.ids} end as "ids"
      from ${lists} where ${at.list} = (${newest})
        and (${at.start} = 0 or (${at.start} < ${first + pageSize} and ${at.start} + ${at.size} > ${first}))
      order by ${at.start}`)
    const total = rows[0]?.total
    if (total === undefined) return undefined

    const parts = rows.filter((row) => row.ids !== null)
    const ids = parts.flatMap((row) => String(row.ids).split(','))
    const slice = ids.slice(first - Number(parts[0]?.start ?? first)).slice(0, pageSize)
    return {
      pages: Math.ceil(Number(total) / pageSize),
      ids: id.dataType === 'string' ? slice : slice.map(Number),
    }
  }

  return {
    async page(selection, page) {
      const key = keyOf(selection)
      const known = page > 1 ? await readSlice(selection, key, page) : undefined
      if (known) return known

      const ids = await readFirst(selection)
      if (ids.length <= selection.pageSize) {
        await database.run(forget(key, now().toISOString()))
        return { pages: ids.length > 0 ? 1 : 0, ids: page === 1 ? ids : [] }
      }
      await fix(selection, key)
      return (await readSlice(selection, key, page)) ?? { pages: 0, ids: [] }
    },
  }
}

interface NewList {
  key: string
  id: string
  createdAt: string
}

/**
 * Where the parts begin and end, the window's own bounds at the outside. A part has its beginning and
 * not its end, so an exclusive beginning is the next millisecond, the databases' precision.
 */
function edgesOf({ window }: OrderSelection, bounds: string[], isSqlite: boolean): string[] {
  const [beginning, end] = isSqlite ? ['', '~'] : ['-infinity', 'infinity']
  if (window === undefined) return [beginning, ...bounds, end]
  const from = new Date(window.after.getTime() + 1).toISOString()
  const to = window.before.toISOString()
  return [from, ...bounds.filter((bound) => bound > from && bound < to), to]
}

function boundRows(edges: string[]): SQL {
  const rows = edges
    .slice(1)
    .map((to, index) => sql`(${sql.raw(String(index))}, ${edges[index]}, ${to})`)
  return sql.join(rows, sql`, `)
}

const keyOf = ({ window, store, pageSize }: OrderSelection): string =>
  createHash('sha256')
    .update(JSON.stringify([window?.after, window?.before, store?.field, store?.value, pageSize]))
    .digest('hex')
