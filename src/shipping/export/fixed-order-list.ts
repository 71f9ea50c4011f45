import { createHash } from 'node:crypto'
import { sql, type Column, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../../database/document-id.js'
import type { Shop } from '../../shop.js'
import { lazy } from '../../database/cached-reading.js'
import { bareName, column, columnType, type Row, type Statement } from '../../database/database.js'
import { boundRows, listBounds } from './list-bounds.js'
import { orderCondition, type OrderFilter } from '../../orders/order-reader.js'
import { pullsSlug } from '../pull-collection.js'

/** Which orders an export has. */
export interface OrderSelection extends OrderFilter {
  /**
   * The window as the request wrote it. It identifies the later pages of a pull, because a text such as
   * `now` means another moment for each page. Undefined: the bounds identify them.
   */
  askedWindow?: readonly string[] | undefined
  /** The dates as a merchant reads them; undefined when none was sent. */
  asked: string | undefined
  pageSize: number
}

/** How many orders of a page were sent, and how many were skipped. */
interface PageCounts {
  orders: number
  skipped: number
}

/** One slice of the ordered list of ids that page 1 fixed. */
interface ListedPage {
  /** How many pages the list has; 0 when it is empty. */
  pages: number
  ids: DocumentId[]
  /** Stores that the page is answered. Until then, the pull is not listed, or the page is not in it. */
  answered: (counts: PageCounts) => Promise<void>
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

/** How long pulls and their orders stay. */
export const pullLifetimeMs = 30 * 24 * 60 * 60 * 1000

/** A page that is asked for again within this time is not stored again. */
const notedAgainAfterMs = 60 * 1000

const pruneEveryMs = 60 * 60 * 1000

/** Where a window is open. */
const firstMoment = '0001-01-01T00:00:00.000Z'
const lastMoment = '9999-12-31T23:59:59.999Z'

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
  const lists = database.table(pullsSlug)
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
    changedFrom: column(lists, 'changedFrom'),
    changedTo: column(lists, 'changedTo'),
    state: column(lists, 'state'),
    pageSize: column(lists, 'pageSize'),
    orders: column(lists, 'orders'),
    skipped: column(lists, 'skipped'),
    timesBegun: column(lists, 'timesBegun'),
    createdAt: column(lists, 'createdAt'),
    updatedAt: column(lists, 'updatedAt'),
  }
  const id = column(orders, 'id')
  const updatedAt = column(orders, 'updatedAt')
  const ago = (ms: number) => new Date(now().getTime() - ms).toISOString()
  const moment = (date: Date) =>
    database.isSqlite ? sql`${date.toISOString()}` : sql`${date.toISOString()}::timestamptz`
  const number = (value: number) => sql`cast(${value} as bigint)`
  const newId = () => Buffer.from(randomBytes(8)).toString('hex')
  let prunedAt = 0

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

  /**
   * Closes the lists of this key whose pull is over or abandoned, and every list that has expired: without a
   * key they serve no more pages. Parts behind the first page that was not answered are deleted.
   */
  const close = (key: string): SQL[] => {
    const some = sql`select ${at.list} from ${lists} where`
    const isOver = sql`${at.key} > '' and ${at.pages} is not null and (${at.createdAt} < ${ago(listLifetimeMs)}
      or (${at.key} = ${key} and ${at.certainPage} > ${at.pages})
      or (${at.updatedAt} < ${ago(readListLifetimeMs)} and ${at.highestPage} >= ${at.pages})
      or ${at.list} in (${some} ${at.key} = ${key} and ${at.highestPage} = 1
        order by ${at.createdAt} desc, ${at.list} limit ${largestLimit} offset ${begunAtOnce}))`
    const part = (of: Column) => sql`"part".${bareName(of)}`
    const rowId = column(lists, 'id')
    const locked = database.isSqlite ? sql`` : sql`order by ${part(rowId)} for update of "part"`
    return [
      sql`delete from ${lists} where ${rowId} in (select ${part(rowId)} from ${lists} as "part"
        join (select ${at.list} as "list", (${at.highestPage} + 1) * ${at.pageSize} as "end" from ${lists}
          where ${isOver}) as "over" on ${part(at.list)} = "over"."list"
        where ${part(at.start)} >= "over"."end" ${locked})`,
      sql`update ${lists} set ${bareName(at.key)} = null where ${rowsWhere(isOver)}`,
    ]
  }

  /** Deletes what is too old, once an hour. */
  const prune = async (): Promise<void> => {
    const nowMs = now().getTime()
    // The clock may have been set back since.
    if (Math.abs(nowMs - prunedAt) < pruneEveryMs) return
    prunedAt = nowMs
    const isOld = sql`${at.createdAt} < ${ago(pullLifetimeMs)}`
    await database.run(sql`delete from ${lists} where ${rowsWhere(isOld)}`)
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
        "parts" as materialized (select "part", "from", "to", (${packed}) as "packed" from "bounds"),
        "sized" as (select "part", "from", "to", ${size} as "size", substr("packed", ${semicolon} + 1) as "ids"
          from "parts" where "packed" is not null)`
  }

  // SQLite has no default for UUIDs: Payload makes them for the rows that it writes itself.
  const needsId = database.isSqlite && column(lists, 'id').dataType === 'string'
  const idOf = (value: SQL): SQL[] => (needsId ? [value] : [])

  /** The moment at which a part begins or ends. */
  const edge = (name: 'from' | 'to', open: string, asMoment: string): SQL => {
    const of = sql.identifier(name)
    const text = sql`case ${of} when ${open} then ${asMoment} else ${of} end`
    return database.isSqlite ? text : sql`(${text})::timestamptz`
  }

  const build = (parts: SQL, { pageSize }: OrderSelection, list: NewList): SQL => {
    const made = moment(list.createdAt)
    const names = [
      ...idOf(bareName(column(lists, 'id'))),
      ...[at.key, at.list, at.pageSize, at.pages, at.certainPage, at.highestPage].map(bareName),
      ...[at.start, at.size, at.ids, at.changedFrom, at.changedTo].map(bareName),
      ...[at.createdAt, at.updatedAt].map(bareName),
    ]
    const first = [...idOf(sql`${list.id}`), sql`${list.key}`, sql`${list.id}`, number(pageSize)]
    const part = [...idOf(sql`${list.id} || '-' || "part"`), sql`null`, sql`${list.id}`, sql`null`]
    const pages = sql`("total" + ${number(pageSize)} - 1) / ${number(pageSize)}`
    return sql`${parts}
      insert into ${lists} (${sql.join(names, sql`, `)})
      select ${sql.join(first, sql`, `)}, ${pages}, ${number(list.page)}, ${number(list.page)},
        null, null, null, null, null, ${made}, ${made}
        from (select sum("size") as "total" from "sized") as "whole" where "total" is not null
      union all select ${sql.join(part, sql`, `)}, null, null, null,
        sum("size") over (order by "part") - "size", "size", "ids", ${edge('from', database.isSqlite ? '' : '-infinity', firstMoment)},
        ${edge('to', database.isSqlite ? '~' : 'infinity', lastMoment)}, ${made}, ${made} from "sized"`
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
        ${bareName(at.timesBegun)} = ${at.timesBegun} + 1,
        ${bareName(at.createdAt)} = ${begun}, ${bareName(at.updatedAt)} = ${begun}
      where ${rowsWhere(own)} returning ${at.list}`)
    return kept.length > 0 ? own : undefined
  }

  const inOrder = async (statements: readonly Statement[]): Promise<void> => {
    if (database.isSqlite) await database.batch(statements)
    else for (const statement of statements) await statement
  }

  /** Fixes the list of a pull that begins with this page. */
  const fix = async (selection: OrderSelection, key: string, page: number): Promise<SQL> => {
    const parts = lazy(async () => newParts(selection, await listBounds(database, orders)))
    const shared = page === 1 ? await share(key, parts) : undefined
    const list = { key, id: newId(), page, createdAt: now() }
    const statements = [
      ...close(key),
      ...(shared ? [] : [build(await parts(), selection, list)]),
    ].map((statement) => database.run(statement))
    await inOrder(statements)
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
        ${at.start} as "start", ${at.ids} as "ids", ${at.state} as "state",
        ${at.updatedAt} as "updatedAt"
      from ${lists} where ${at.list} in (select ${at.list} from ${lists} where ${condition}) and (${at.pages} is not null
        or (${at.start} < ${first + pageSize} and ${at.start} + ${at.size} > ${first}))
      order by ${at.createdAt}, ${at.list}, ${at.start}`)
    return rows
      .filter(({ pages }) => pages !== null)
      .map(({ list, pages, certainPage, highestPage, state, updatedAt }) => {
        const parts = rows.filter((row) => row.list === list && row.ids !== null)
        const ids = parts.flatMap((part) => String(part.ids).split(','))
        return {
          list: String(list),
          pages: Number(pages),
          certainPage: Number(certainPage),
          highestPage: Number(highestPage),
          isListed: state !== null,
          lastRequestAt: new Date(String(updatedAt)),
          ids: ids.slice(first - Number(parts[0]?.start ?? first)).slice(0, pageSize),
        }
      })
  }

  /** What a pull asks for, as the admin shows it. */
  const askedOf = ({ asked, window, store, pageSize }: OrderSelection): Row => ({
    asked,
    windowStart: window?.after.toISOString(),
    windowEnd: window?.before.toISOString(),
    store: store?.value,
    pageSize,
  })

  /** Notes how far a pull has read, and what it got. Another process may do so at the same moment. */
  const note = async (pull: Pull, { selection, page, certainPage, counts }: Answered) => {
    const isKnown = pull.isListed && certainPage === pull.certainPage && page <= pull.highestPage
    const silentMs = Math.abs(now().getTime() - pull.lastRequestAt.getTime())
    // A shared list shows when it was read last, as its other pulls may be over.
    if (isKnown && certainPage > 0 && silentMs < notedAgainAfterMs) return
    const isNew = sql`${at.state} is null or ${at.highestPage} < ${page}`
    const added = (to: Column, count: number) =>
      sql`coalesce(${to}, 0) + case when ${isNew} then ${count} else 0 end`
    const state = sql`case when ${page} >= ${at.pages} or ${at.highestPage} >= ${at.pages}
      then 'complete' else 'under-way' end`
    await database.update(
      lists,
      {
        ...(!pull.isListed && { ...askedOf(selection), timesBegun: 1 }),
        state: database.isSqlite ? state : sql`(${state})::${sql.raw(columnType(at.state))}`,
        // Another pull may have joined the list since this one has read it.
        certainPage: sql`case when ${at.certainPage} = 0 then 0 else ${certainPage} end`,
        highestPage: sql`case when ${at.highestPage} < ${page} then ${page} else ${at.highestPage} end`,
        orders: added(at.orders, counts.orders),
        skipped: added(at.skipped, counts.skipped),
        updatedAt: now().toISOString(),
      },
      sql`${at.list} = ${pull.list} and ${at.pages} is not null`,
    )
  }

  /** Stores a pull of one page. It needs no list, and a single part has its orders. */
  const storeSingle = async (
    selection: OrderSelection,
    ids: readonly DocumentId[],
    { orders, skipped }: PageCounts,
  ): Promise<void> => {
    const [list, madeAt] = [newId(), now().toISOString()]
    const pages = ids.length > 0 ? 1 : 0
    const times = { createdAt: madeAt, updatedAt: madeAt }
    const reached = { pages, highestPage: pages, certainPage: pages + 1, state: 'complete' }
    const counts = { orders, skipped, timesBegun: 1 }
    const changes = {
      changedFrom: selection.window?.after.toISOString() ?? firstMoment,
      changedTo: selection.window?.before.toISOString() ?? lastMoment,
    }
    const part = { list, start: 0, size: ids.length, ids: ids.join(','), ...changes, ...times }
    await inOrder([
      // Lists of this window that were read to their end serve no later page of this pull.
      database.run(
        sql`update ${lists} set ${bareName(at.key)} = null where ${rowsWhere(
          sql`${at.key} = ${keyOf(selection)} and ${at.certainPage} > ${at.pages}`,
        )}`,
      ),
      database.insertIgnoring(lists, [
        { list, ...askedOf(selection), ...reached, ...counts, ...times },
        ...(pages > 0 ? [part] : []),
      ]),
    ])
  }

  /** ShipStation gets its page also where that cannot be stored. */
  const stored = async (page: number, store: () => Promise<void>): Promise<void> => {
    try {
      await store()
      if (page === 1) await prune()
    } catch (error) {
      // A second pull may be mistaken for this one.
      log.warn({ err: error, page }, 'How far a pull has read could not be noted')
    }
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
    const found = { open: open.length, possible: possible.length }
    const ids = [...new Set(possible.flatMap((pull) => pull.ids))]
    return {
      pages: Math.max(...possible.map(({ pages }) => pages)),
      ids: id.dataType === 'string' ? ids : ids.map(Number),
      answered: (counts) =>
        stored(page, async () => {
          for (const pull of possible) {
            const certainPage = certainAfter(pull, page, found)
            await note(pull, { selection, page, certainPage, counts })
          }
        }),
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
        // A later page of a window that has only one is none.
        const answered = (counts: PageCounts) =>
          page === 1 ? stored(page, () => storeSingle(selection, ids, counts)) : Promise.resolve()
        return { pages: ids.length > 0 ? 1 : 0, ids: page === 1 ? ids : [], answered }
      }
      const own = await fix(selection, key, page)
      const none = { pages: 0, ids: [], answered: () => Promise.resolve() }
      return (await readPage(own, selection, page)) ?? none
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
  /** Whether a page of it was answered, so that the admin lists it. */
  isListed: boolean
  lastRequestAt: Date
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

/** A page that a pull was answered. */
interface Answered {
  selection: OrderSelection
  page: number
  certainPage: number
  counts: PageCounts
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
