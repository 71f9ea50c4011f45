import { createHash, randomBytes } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { Log } from '../log.js'
import type { ListedPage, OrderList, OrderSelection } from '../order-list.js'
import { bareName, column, type Database } from './database.js'
import { listBounds } from './list-bounds.js'
import { listsSlug } from './list-collection.js'
import { orderCondition } from './order-condition.js'
import { certainAfter, pullsOfPage, type Pull } from './pulls-of-page.js'

/** How long a list answers for the later pages of its pull. */
export const listLifetimeMs = 24 * 60 * 60 * 1000

/** How long a list is kept whose last page was read, for those that ask for a page once more. */
const readListLifetimeMs = 5 * 60 * 1000

/** More orders than a table has; the databases refuse a LIMIT of more than 64 bits. */
const largestLimit = 2 ** 40

/**
 * Fixes the ordered ids of a pull with one statement inside the database: it sees one moment, and the
 * ids never travel through this process. A pull of one page needs no list
 * (`docs/decisions/0002-fixed-export-lists.md`).
 */
export function createOrderList(
  database: Database,
  { collections, log }: Pick<ResolvedOptions, 'collections'> & { log?: Pick<Log, 'warn'> },
  now: () => Date,
): OrderList {
  const lists = database.table(listsSlug)
  const orders = database.table(collections.orders)
  const at = {
    key: column(lists, 'key'),
    list: column(lists, 'list'),
    pages: column(lists, 'pages'),
    certainPage: column(lists, 'certainPage'),
    highestPage: column(lists, 'highestPage'),
    start: column(lists, 'start'),
    size: column(lists, 'size'),
    ids: column(lists, 'ids'),
    createdAt: column(lists, 'createdAt'),
    updatedAt: column(lists, 'updatedAt'),
  }
  const id = column(orders, 'id')
  const updatedAt = column(orders, 'updatedAt')
  const ago = (ms: number) => new Date(now().getTime() - ms).toISOString()
  const moment = (date: Date) =>
    database.isSqlite ? sql`${date.toISOString()}` : sql`${date.toISOString()}::timestamptz`
  const number = (value: number) => sql`cast(${value} as bigint)`

  /** The first ids, and one more where there is a second page. */
  const readFirst = async (selection: OrderSelection): Promise<DocumentId[]> => {
    const most = Math.min(selection.pageSize, largestLimit) + 1
    const rows = await database.rows(sql`select ${id} as "id" from ${orders}
      where ${orderCondition(orders, selection)} order by ${updatedAt}, ${id} limit ${most}`)
    return rows.map((row) => row.id as DocumentId)
  }

  /** Forgets the lists of this key whose pull is over, and every list that has expired. */
  const forget = (key: string): SQL => {
    const some = sql`select ${at.list} from ${lists} where`
    return sql`delete from ${lists} where ${at.createdAt} < ${ago(listLifetimeMs)}
      or ${at.list} in (${some} ${at.key} = ${key} and ${at.certainPage} > ${at.pages})
      or ${at.list} in (${some} ${at.updatedAt} < ${ago(readListLifetimeMs)}
        and ${at.highestPage} >= ${at.pages})`
  }

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
    const made = moment(list.createdAt)
    const names = [
      ...[at.key, at.list, at.pages, at.certainPage, at.highestPage],
      ...[at.start, at.size, at.ids, at.createdAt, at.updatedAt],
    ]
    const pages = sql`(sum("size") + ${number(selection.pageSize)} - 1) / ${number(selection.pageSize)}`
    return sql`with "bounds"("part", "from", "to") as (values ${boundRows(edgesOf(selection, bounds, database.isSqlite))}),
        "parts" as materialized (select "part", (${packed}) as "packed" from "bounds"),
        "sized" as (select "part", ${size} as "size", substr("packed", ${semicolon} + 1) as "ids"
          from "parts" where "packed" is not null)
      insert into ${lists} (${sql.join(names.map(bareName), sql`, `)})
      select ${list.key}, ${list.id}, ${pages}, ${number(list.page)}, ${number(list.page)},
        null, null, null, ${made}, ${made} from "sized" having count(*) > 0
      union all select ${list.key}, ${list.id}, null, null, null,
        sum("size") over (order by "part") - "size", "size", "ids", ${made}, ${made} from "sized"`
  }

  /** Makes a list for a pull that reads this page. */
  const fix = async (selection: OrderSelection, key: string, page: number): Promise<SQL> => {
    const list = { key, id: randomBytes(8).toString('hex'), page, createdAt: now() }
    const statements = [
      database.run(forget(key)),
      database.run(build(selection, list, await listBounds(database, orders))),
    ]
    if (database.isSqlite) await database.batch(statements)
    else for (const statement of statements) await statement
    return sql`${at.list} = ${list.id}`
  }

  /** The pulls whose lists meet a condition, oldest first, each with its slice. */
  const readPulls = async (
    condition: SQL,
    { pageSize }: OrderSelection,
    page: number,
  ): Promise<PullAndSlice[]> => {
    const first = (page - 1) * pageSize
    const rows = await database.rows(sql`select ${at.list} as "list", ${at.pages} as "pages",
        ${at.certainPage} as "certainPage", ${at.highestPage} as "highestPage",
        ${at.start} as "start", ${at.ids} as "ids"
      from ${lists} where ${condition} and (${at.pages} is not null
        or (${at.start} < ${first + pageSize} and ${at.start} + ${at.size} > ${first}))
      order by ${at.createdAt}, ${at.list}, ${at.start}`)
    return rows
      .filter(({ pages }) => pages !== null)
      .map(({ list, pages, certainPage, highestPage }) => {
        const parts = rows.filter((row) => row.list === list && row.ids !== null)
        const ids = parts.flatMap((part) => String(part.ids).split(','))
        return {
          list: String(list),
          pages: Number(pages),
          certainPage: Number(certainPage),
          highestPage: Number(highestPage),
          ids: ids.slice(first - Number(parts[0]?.start ?? first)).slice(0, pageSize),
        }
      })
  }

  /** Notes how far a pull has read. Another process may do so at the same moment. */
  const note = async (pull: Pull, page: number, certainPage: number): Promise<void> => {
    if (certainPage === pull.certainPage && page <= pull.highestPage) return
    await database.run(sql`update ${lists} set ${bareName(at.certainPage)} = ${certainPage},
      ${bareName(at.highestPage)} = case when ${at.highestPage} < ${page} then ${page} else ${at.highestPage} end,
      ${bareName(at.updatedAt)} = ${moment(now())}
      where ${at.list} = ${pull.list} and ${at.pages} is not null`)
  }

  /** What the pulls that may have asked get; undefined when there is none. */
  const readPage = async (
    condition: SQL,
    selection: OrderSelection,
    page: number,
  ): Promise<ListedPage | undefined> => {
    const open = await readPulls(condition, selection, page)
    const possible = pullsOfPage(open, page)
    if (possible.length === 0) return undefined
    const counts = { open: open.length, possible: possible.length }
    try {
      for (const pull of possible) await note(pull, page, certainAfter(pull, page, counts))
    } catch (error) {
      // The page is there all the same; without the note, a second pull may be taken for this one.
      log?.warn({ err: error, page }, 'How far a pull has read could not be noted')
    }
    const ids = [...new Set(possible.flatMap((pull) => pull.ids))]
    return {
      pages: Math.max(...possible.map(({ pages }) => pages)),
      ids: id.dataType === 'string' ? ids : ids.map(Number),
    }
  }

  return {
    async page(selection, page) {
      const key = keyOf(selection)
      const alive = sql`${at.key} = ${key} and ${at.createdAt} >= ${ago(listLifetimeMs)}`
      const known = page > 1 ? await readPage(alive, selection, page) : undefined
      if (known) return known

      const ids = await readFirst(selection)
      if (ids.length <= selection.pageSize) {
        await database.run(forget(key))
        return { pages: ids.length > 0 ? 1 : 0, ids: page === 1 ? ids : [] }
      }
      const own = await fix(selection, key, page)
      return (await readPage(own, selection, page)) ?? { pages: 0, ids: [] }
    },
  }
}

type PullAndSlice = Pull & { ids: string[] }

interface NewList {
  key: string
  id: string
  /** The page that its pull reads first. */
  page: number
  createdAt: Date
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

const keyOf = ({ window, askedWindow, store, pageSize }: OrderSelection): string =>
  createHash('sha256')
    .update(JSON.stringify([askedWindow ?? window, store?.field, store?.value, pageSize]))
    .digest('hex')
