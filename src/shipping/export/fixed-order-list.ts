import { createHash } from 'node:crypto'
import { sql, type Column, type SQL } from 'drizzle-orm'
import { internalCollection } from '../../database/internal-collection.js'
import type { CollectionConfig } from 'payload'
import type { DocumentId } from '../../database/document-id.js'
import type { Shop } from '../../shop.js'
import { lazy } from '../../database/cached-reading.js'
import { bareName, column } from '../../database/database.js'
import { boundRows, listBounds } from './list-bounds.js'
import { orderCondition, type OrderFilter } from '../../orders/order-reader.js'

const listsSlug = 'shipping-lists'

/**
 * The fixed lists of exports that have more than one page (`docs/decisions/0002-fixed-export-lists.md`).
 * Only the export reads them.
 */
export const listCollection = (): CollectionConfig => ({
  slug: listsSlug,
  ...internalCollection,
  fields: [
    // Which window, store and page size the list is for.
    { name: 'key', type: 'text', index: true },
    // Tells two lists of the same key apart: each pull has its own.
    { name: 'list', type: 'text', index: true },
    // A list's first row says how many pages it has, and how far its pull has read.
    { name: 'pages', type: 'number' },
    { name: 'certainPage', type: 'number' },
    { name: 'highestPage', type: 'number' },
    // Its other rows are its parts: where each starts in it, how many ids it has, and the ids.
    { name: 'start', type: 'number' },
    { name: 'size', type: 'number' },
    { name: 'ids', type: 'textarea' },
  ],
})

/** Which orders an export has. */
export interface OrderSelection extends OrderFilter {
  /**
   * The window as the request wrote it. It identifies the later pages of a pull, because a text such as
   * `now` means another moment for each page. Undefined: the bounds identify them.
   */
  askedWindow?: readonly string[] | undefined
  pageSize: number
}

/** One slice of the ordered list of ids that page 1 fixed. */
interface ListedPage {
  /** How many pages the list has; 0 when it is empty. */
  pages: number
  ids: DocumentId[]
}

/** How long a list serves the later pages of its pull. */
export const listLifetimeMs = 24 * 60 * 60 * 1000

/** How long a list is kept after its last page was read, in case a client repeats a page. */
const readListLifetimeMs = 5 * 60 * 1000

/**
 * How many lists of one window are kept while nobody has asked for their second page. So many pulls do not
 * begin at the same time: older lists are abandoned.
 */
const begunAtOnce = 16

/** More orders than any table has; the databases refuse a LIMIT of more than 64 bits. */
const largestLimit = 2 ** 40

/**
 * The ordered list of the ids of a pull. Page 1 fixes it with one statement, which sees one moment of the
 * database, and the ids never pass through this process. Later pages are slices of the list, so that orders
 * which change between two pages are neither lost nor doubled. A pull of one page needs no list
 * (`docs/decisions/0002-fixed-export-lists.md`).
 */
export function createOrderList({ database, options, log, effects }: Shop) {
  const { now, randomBytes } = effects
  const lists = database.table(listsSlug)
  const orders = database.table(options.collections.orders)
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

  /** The ids of page 1, and one more if there is a page 2. */
  const readFirst = async (selection: OrderSelection): Promise<DocumentId[]> => {
    const most = Math.min(selection.pageSize, largestLimit) + 1
    const rows = await database.rows(sql`select ${id} as "id" from ${orders}
      where ${orderCondition(orders, selection)} order by ${updatedAt}, ${id} limit ${most}`)
    return rows.map((row) => row.id as DocumentId)
  }

  /** The rows that meet a condition. They are locked in the order of their ids: pulls that begin together cannot deadlock. */
  const rowsWhere = (condition: SQL): SQL => {
    const rowId = column(lists, 'id')
    const locked = database.isSqlite ? sql`` : sql`order by ${rowId} for update`
    return sql`${rowId} in (select ${rowId} from ${lists} where ${condition} ${locked})`
  }

  /** Deletes the lists of this key whose pull is over or abandoned, and every list that has expired. */
  const forget = (key: string): SQL => {
    const some = sql`select ${at.list} from ${lists} where`
    const isOver = sql`${at.createdAt} < ${ago(listLifetimeMs)}
      or ${at.list} in (${some} ${at.key} = ${key} and ${at.certainPage} > ${at.pages})
      or ${at.list} in (${some} ${at.updatedAt} < ${ago(readListLifetimeMs)}
        and ${at.highestPage} >= ${at.pages})
      or ${at.list} in (${some} ${at.key} = ${key} and ${at.highestPage} = 1
        order by ${at.createdAt} desc, ${at.list} limit ${largestLimit} offset ${begunAtOnce})`
    return sql`delete from ${lists} where ${rowsWhere(isOver)}`
  }

  /** The parts of a new list, each with its size and its ids as one text. */
  const newParts = (selection: OrderSelection, bounds: string[]): SQL => {
    const [from, to] = [sql.identifier('from'), sql.identifier('to')]
    const within = database.isSqlite
      ? sql`${updatedAt} >= ${from} and ${updatedAt} < ${to}`
      : sql`${updatedAt} >= ${from}::timestamptz and ${updatedAt} < ${to}::timestamptz`
    // Only the bounds hold the window: given a second range, SQLite may search by the wrong one.
    const condition = orderCondition(orders, { ...selection, window: undefined })
    // Count and ids go into one text, because a scalar subquery has one column. SQLite's aggregate keeps
    // the order of its subquery; PostgreSQL's takes an order of its own.
    const packed = database.isSqlite
      ? sql`select count(*) || ';' || group_concat("id", ',') from (select ${id} as "id" from ${orders}
          where ${condition} and ${within} order by ${updatedAt}, ${id})`
      : sql`select count(*) || ';' || string_agg(${id}::text, ',' order by ${updatedAt}, ${id})
          from ${orders} where ${condition} and ${within}`
    const semicolon = database.isSqlite ? sql`instr("packed", ';')` : sql`strpos("packed", ';')`
    const size = sql`cast(substr("packed", 1, ${semicolon} - 1) as integer)`
    return sql`with "bounds"("part", "from", "to") as (values ${boundRows(selection.window, bounds, database.isSqlite)}),
        "parts" as materialized (select "part", (${packed}) as "packed" from "bounds"),
        "sized" as (select "part", ${size} as "size", substr("packed", ${semicolon} + 1) as "ids"
          from "parts" where "packed" is not null)`
  }

  // SQLite has no default for UUIDs: Payload makes them for the rows that it writes itself.
  const needsId = database.isSqlite && column(lists, 'id').dataType === 'string'
  const idOf = (value: SQL): SQL[] => (needsId ? [value] : [])

  const build = (parts: SQL, { pageSize }: OrderSelection, list: NewList): SQL => {
    const made = moment(list.createdAt)
    const names = [
      ...idOf(bareName(column(lists, 'id'))),
      ...[at.key, at.list, at.pages, at.certainPage, at.highestPage].map(bareName),
      ...[at.start, at.size, at.ids, at.createdAt, at.updatedAt].map(bareName),
    ]
    const first = [...idOf(sql`${list.id}`), sql`${list.key}`, sql`${list.id}`]
    const part = [...idOf(sql`${list.id} || '-' || "part"`), sql`${list.key}`, sql`${list.id}`]
    const pages = sql`(sum("size") + ${number(pageSize)} - 1) / ${number(pageSize)}`
    return sql`${parts}
      insert into ${lists} (${sql.join(names, sql`, `)})
      select ${sql.join(first, sql`, `)}, ${pages}, ${number(list.page)}, ${number(list.page)},
        null, null, null, ${made}, ${made} from "sized" having count(*) > 0
      union all select ${sql.join(part, sql`, `)}, null, null, null,
        sum("size") over (order by "part") - "size", "size", "ids", ${made}, ${made} from "sized"`
  }

  /** Joins a pull that begins now to a list of this key with the same orders. Undefined: there is none. */
  const share = async (key: string, parts: () => Promise<SQL>): Promise<SQL | undefined> => {
    const open = sql`${at.key} = ${key} and ${at.certainPage} <= ${at.pages}
      and ${at.createdAt} >= ${ago(listLifetimeMs)}`
    const [any] = await database.rows(sql`select 1 from ${lists} where ${open} limit 1`)
    if (any === undefined) return undefined

    const part = (of: Column) => sql`"part".${bareName(of)}`
    const [fresh, held] = database.isSqlite
      ? [
          sql`(select group_concat("ids", ',') from (select "ids" from "sized" order by "part"))`,
          sql`(select group_concat("ids", ',') from (select ${part(at.ids)} as "ids" from ${lists} as "part"
            where ${part(at.list)} = ${at.list} order by ${part(at.start)}))`,
        ]
      : [
          sql`(select string_agg("ids", ',' order by "part") from "sized")`,
          sql`(select string_agg(${part(at.ids)}, ',' order by ${part(at.start)}) from ${lists} as "part"
            where ${part(at.list)} = ${at.list})`,
        ]
    const heldSize = sql`(select sum(${part(at.size)}) from ${lists} as "part"
      where ${part(at.list)} = ${at.list})`
    // Only the ids of a list of the same length are compared: a million of them are seven megabytes.
    const [same] = await database.rows(sql`${await parts()},
        "fresh" as materialized (select ${fresh} as "ids")
      select ${at.list} as "list" from ${lists}
      where ${open} and case when ${heldSize} = (select sum("size") from "sized")
        then ${held} = (select "ids" from "fresh") else false end
      order by ${at.createdAt}, ${at.list} limit 1`)
    if (same === undefined) return undefined
    const own = sql`${at.list} = ${same.list}`
    const begun = moment(now())
    const kept = await database.rows(sql`update ${lists}
      set ${bareName(at.certainPage)} = case when ${at.pages} is null then null else 0 end,
        ${bareName(at.createdAt)} = ${begun}, ${bareName(at.updatedAt)} = ${begun}
      where ${rowsWhere(own)} returning ${at.list}`)
    return kept.length > 0 ? own : undefined
  }

  /** Fixes the list of a pull that begins with this page. */
  const fix = async (selection: OrderSelection, key: string, page: number): Promise<SQL> => {
    const parts = lazy(async () => newParts(selection, await listBounds(database, orders)))
    const shared = page === 1 ? await share(key, parts) : undefined
    const list = { key, id: Buffer.from(randomBytes(8)).toString('hex'), page, createdAt: now() }
    const statements = [
      database.run(forget(key)),
      ...(shared ? [] : [database.run(build(await parts(), selection, list))]),
    ]
    if (database.isSqlite) await database.batch(statements)
    else for (const statement of statements) await statement
    return shared ?? sql`${at.list} = ${list.id}`
  }

  /** The pulls whose lists meet a condition, oldest first, each with its slice for this page. */
  const readPulls = async (
    condition: SQL,
    { pageSize }: OrderSelection,
    page: number,
  ): Promise<Pull[]> => {
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
    const isKnown = certainPage === pull.certainPage && page <= pull.highestPage
    // A shared list shows when it was read last, as its other pulls may be over.
    if (isKnown && certainPage > 0) return
    // Another pull may have joined the list since this one has read it.
    await database.run(sql`update ${lists} set ${bareName(at.certainPage)} =
        case when ${at.certainPage} = 0 then 0 else ${certainPage} end,
      ${bareName(at.highestPage)} = case when ${at.highestPage} < ${page} then ${page} else ${at.highestPage} end,
      ${bareName(at.updatedAt)} = ${moment(now())}
      where ${at.list} = ${pull.list} and ${at.pages} is not null`)
  }

  /** The page for each pull that may have requested it; undefined when there is no such pull. */
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
      // The page can be sent without the note, but a second pull may then be mistaken for this one.
      log.warn({ err: error, page }, 'How far a pull has read could not be noted')
    }
    const ids = [...new Set(possible.flatMap((pull) => pull.ids))]
    return {
      pages: Math.max(...possible.map(({ pages }) => pages)),
      ids: id.dataType === 'string' ? ids : ids.map(Number),
    }
  }

  return {
    async page(selection: OrderSelection, page: number): Promise<ListedPage> {
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

/** How far the pull of a list has read. A pull requests a page, the same page again, or the next one. */
interface Pull {
  list: string
  pages: number
  /**
   * The page that it has read for certain. Beyond the last page: the pull is over. 0: several pulls that
   * began with the same orders share the list.
   */
  certainPage: number
  /** The highest page that it may have read. */
  highestPage: number
  /** The ids of the requested page. */
  ids: string[]
}

/**
 * The pulls that a request for a page may belong to. Only the page distinguishes requests of one window:
 * it belongs to a pull that has read the page before, or has read this page last. If several pulls are
 * possible, the client gets the orders of all of them, so that no order is lost.
 */
function pullsOfPage(open: Pull[], page: number): Pull[] {
  const possible = open.filter(
    ({ certainPage, highestPage }) => certainPage <= page && page <= highestPage + 1,
  )
  return possible.length > 0 ? possible : open
}

/** The page that a pull has read for certain, after this page went to it or to one of several pulls. */
function certainAfter(
  { certainPage, pages }: Pull,
  page: number,
  { open, possible }: { open: number; possible: number },
): number {
  if (possible > 1 || certainPage === 0) return Math.min(certainPage, page)
  // While another pull is open, this one is not over: its last page may be requested again.
  return page >= pages && open === 1 ? pages + 1 : page
}

interface NewList {
  key: string
  id: string
  /** The page that its pull reads first. */
  page: number
  createdAt: Date
}

const keyOf = ({ window, askedWindow, store, pageSize }: OrderSelection): string =>
  createHash('sha256')
    .update(JSON.stringify([askedWindow ?? window, store?.field, store?.value, pageSize]))
    .digest('hex')
