import { sql, type Column, type SQL } from 'drizzle-orm'
import { lazy } from '../../core/database/cached-value.js'
import {
  bareName,
  column,
  type Row,
  type Database,
  type PayloadTable,
} from '../../core/database/database.js'
import { orderCondition, type OrderFilter } from '../../shop/orders/order-reader.js'
import type { Shop } from '../../core/shop.js'
import {
  firstMoment,
  largestLimit,
  lastMoment,
  listLifetimeMs,
  type ListTable,
} from './list-table.js'
import type { OrderSelection } from './select-orders.js'

/** How long a list is kept after each of its pages was read, in case a client repeats a page. */
const readListLifetimeMs = 5 * 60 * 1000

/** How many lists of one window are kept while nobody has asked for their second page: older ones are abandoned. */
const begunAtOnce = 16

interface NewList {
  key: string
  id: string
  /** The page that its pull reads first. */
  page: number
  /** Whether pulls that began before with the same orders may read it, too. */
  isShared: boolean
  createdAt: Date
}

/** Fixes the list of a pull that begins. The returned condition names its rows. */
export function createFixList(shop: Shop, table: ListTable) {
  const { database, options, effects } = shop
  const { now } = effects
  const { lists, at, ago, newId, rowsWhere, withoutKey, inOrder } = table
  const orders = database.table(options.collections.orders)
  const id = column(orders, 'id')
  const updatedAt = column(orders, 'updatedAt')
  const moment = (date: Date) =>
    database.isSqlite ? sql`${date.toISOString()}` : sql`${date.toISOString()}::timestamptz`
  const ofPart = (field: Column) => sql`"part".${bareName(field)}`
  const number = (value: number) => sql`cast(${value} as bigint)`

  /**
   * Closes the lists of this key whose pull is over or abandoned, and every list that has expired. Parts behind the
   * first page that was not answered are deleted.
   */
  const close = (key: string): SQL[] => {
    const some = sql`select ${at.list} from ${lists} where`
    const isOver = sql`${at.key} > '' and ${at.pages} is not null and (${at.createdAt} < ${ago(listLifetimeMs)}
      or (${at.key} = ${key} and ${at.certainPage} > ${at.pages})
      or (${at.updatedAt} < ${ago(readListLifetimeMs)} and ${at.state} = 'complete')
      or ${at.list} in (${some} ${at.key} = ${key} and ${at.highestPage} = 1
        order by ${at.createdAt} desc, ${at.list} limit ${largestLimit} offset ${begunAtOnce}))`
    const locked = database.isSqlite ? sql`` : sql`order by ${ofPart(at.id)} for update of "part"`
    return [
      sql`delete from ${lists} where ${at.id} in (select ${ofPart(at.id)} from ${lists} as "part"
        join (select ${at.list} as "list", (${at.highestPage} + 1) * ${at.pageSize} as "end" from ${lists}
          where ${isOver}) as "over" on ${ofPart(at.list)} = "over"."list"
        where ${ofPart(at.start)} >= "over"."end" ${locked})`,
      withoutKey(isOver),
    ]
  }

  /** The parts of a new list, each with its size and its ids as one text. */
  const newParts = (selection: OrderSelection, bounds: string[]): SQL => {
    const [from, to] = [sql.identifier('from'), sql.identifier('to')]
    const within = database.isSqlite
      ? sql`${updatedAt} >= ${from} and ${updatedAt} < ${to}`
      : sql`${updatedAt} >= ${from}::timestamptz and ${updatedAt} < ${to}::timestamptz`
    // Only the bounds hold the window: given a second range, SQLite may search by the wrong one.
    const condition = orderCondition(shop, { ...selection, window: undefined })
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
  const needsId = database.isSqlite && at.id.dataType === 'string'
  const idOf = (value: SQL): SQL[] => (needsId ? [value] : [])

  const edge = (name: 'from' | 'to', open: string, asMoment: string): SQL => {
    const of = sql.identifier(name)
    const text = sql`case ${of} when ${open} then ${asMoment} else ${of} end`
    return database.isSqlite ? text : sql`(${text})::timestamptz`
  }

  const build = (parts: SQL, { pageSize }: OrderSelection, list: NewList): SQL => {
    const made = moment(list.createdAt)
    const names = [
      ...idOf(bareName(at.id)),
      ...[at.key, at.list, at.pageSize, at.pages, at.certainPage, at.highestPage].map(bareName),
      ...[at.start, at.size, at.ids, at.changedFrom, at.changedTo].map(bareName),
      ...[at.createdAt, at.updatedAt].map(bareName),
    ]
    const first = [...idOf(sql`${list.id}`), sql`${list.key}`, sql`${list.id}`, number(pageSize)]
    const part = [...idOf(sql`${list.id} || '-' || "part"`), sql`null`, sql`${list.id}`, sql`null`]
    const pages = sql`("total" + ${number(pageSize)} - 1) / ${number(pageSize)}`
    return sql`${parts}
      insert into ${lists} (${sql.join(names, sql`, `)})
      select ${sql.join(first, sql`, `)}, ${pages}, ${number(list.isShared ? 0 : list.page)}, ${number(list.page)},
        null, null, null, null, null, ${made}, ${made}
        from (select sum("size") as "total" from "sized") as "whole" where "total" is not null
      union all select ${sql.join(part, sql`, `)}, null, null, null,
        sum("size") over (order by "part") - "size", "size", "ids", ${edge('from', database.isSqlite ? '' : '-infinity', firstMoment)},
        ${edge('to', database.isSqlite ? '~' : 'infinity', lastMoment)}, ${made}, ${made} from "sized"`
  }

  /** The list of this key that has the same orders as a pull that begins now, if it may still be read. */
  const findSame = async (key: string, parts: () => Promise<SQL>): Promise<Row | undefined> => {
    const open = sql`${at.key} = ${key} and ${at.certainPage} <= ${at.pages}
      and ${at.createdAt} >= ${ago(listLifetimeMs)}`
    const [any] = await database.rows(sql`select 1 from ${lists} where ${open} limit 1`)
    if (any === undefined) return undefined

    const [fresh, storedIds] = database.isSqlite
      ? [
          sql`(select group_concat("ids", ',') from (select "ids" from "sized" order by "part"))`,
          sql`(select group_concat("ids", ',') from (select ${ofPart(at.ids)} as "ids" from ${lists} as "part"
            where ${ofPart(at.list)} = ${at.list} order by ${ofPart(at.start)}))`,
        ]
      : [
          sql`(select string_agg("ids", ',' order by "part") from "sized")`,
          sql`(select string_agg(${ofPart(at.ids)}, ',' order by ${ofPart(at.start)}) from ${lists} as "part"
            where ${ofPart(at.list)} = ${at.list})`,
        ]
    const storedSize = sql`(select sum(${ofPart(at.size)}) from ${lists} as "part"
      where ${ofPart(at.list)} = ${at.list})`
    // Only the ids of a list of the same length are compared: a million of them are seven megabytes.
    const [same] = await database.rows(sql`${await parts()},
        "fresh" as materialized (select ${fresh} as "ids")
      select ${at.list} as "list", ${at.state} as "state" from ${lists}
      where ${open} and case when ${storedSize} = (select sum("size") from "sized")
        then ${storedIds} = (select "ids" from "fresh") else false end
      order by ${at.createdAt}, ${at.list} limit 1`)
    return same
  }

  /** Joins a pull that begins now to a list. Undefined: the list is gone. */
  const join = async (own: SQL): Promise<SQL | undefined> => {
    const begun = moment(now())
    const kept = await database.rows(sql`update ${lists}
      set ${bareName(at.certainPage)} = case when ${at.pages} is null then null else 0 end,
        ${bareName(at.createdAt)} = ${begun}, ${bareName(at.updatedAt)} = ${begun}
      where ${rowsWhere(own)} returning ${at.list}`)
    return kept.length > 0 ? own : undefined
  }

  /** @param page The page that the pull reads first. */
  return async (selection: OrderSelection, key: string, page: number): Promise<SQL> => {
    const parts = lazy(async () => newParts(selection, await listBounds(database, orders)))
    const same = page === 1 ? await findSame(key, parts) : undefined
    const former = same && sql`${at.list} = ${same.list}`
    // Who still reads a list whose pages were all answered reads on in the new one, which has the same orders.
    const ended = same?.state === 'complete' ? former : undefined
    const joined = former && !ended ? await join(former) : undefined
    const list = { key, id: newId(), page, isShared: ended !== undefined, createdAt: now() }
    const statements = [
      ...close(key),
      ...(joined ? [] : [build(await parts(), selection, list)]),
      ...(ended ? [withoutKey(ended)] : []),
    ].map((statement) => database.run(statement))
    await inOrder(statements)
    return joined ?? sql`${at.list} = ${list.id}`
  }
}

/** How many orders are sampled to find out how the orders spread over time. */
const probeCount = 256

/**
 * Moments that cut the orders into parts of about the same size. They decide how long a part is, never what is
 * listed.
 */
async function listBounds(database: Database, orders: PayloadTable): Promise<string[]> {
  const id = column(orders, 'id')
  const updatedAt = column(orders, 'updatedAt')
  const probes = id.dataType === 'string' ? uuidProbes() : await numberProbes(database, orders)
  if (probes.length === 0) return []
  const values = sql.join(
    probes.map((probe) => sql`(${probe})`),
    sql`, `,
  )
  // Without the cast, PostgreSQL reads the parameters as text.
  const idType = id.dataType === 'string' ? id.getSQLType() : 'integer'
  const probe = database.isSqlite ? sql`column1` : sql`column1::${sql.raw(idType)}`
  const rows = await database.rows(sql`select
      (select ${updatedAt} from ${orders} where ${id} >= ${probe} order by ${id} limit 1) as "moment"
    from (values ${values}) as "probes"`)
  const moments = rows.flatMap(({ moment }) =>
    typeof moment === 'string' || moment instanceof Date ? new Date(moment).toISOString() : [],
  )
  return [...new Set(moments)].sort()
}

async function numberProbes(database: Database, orders: PayloadTable): Promise<number[]> {
  const id = column(orders, 'id')
  // SQLite answers each of two selects from the index, but scans the table for one with both.
  const [row] = await database.rows(sql`select
    (select min(${id}) from ${orders}) as "first", (select max(${id}) from ${orders}) as "last"`)
  const [first, last] = [Number(row?.first ?? 0), Number(row?.last ?? 0)]
  const step = Math.max(1, (last - first + 1) / probeCount)
  const count = Math.min(probeCount, last - first + 1)
  return Array.from({ length: count }, (_, index) => Math.floor(first + index * step))
}

/** Ids are random: their first byte spreads them evenly. */
const uuidProbes = (): string[] =>
  Array.from(
    { length: probeCount },
    (_, byte) => `${byte.toString(16).padStart(2, '0')}000000-0000-0000-0000-000000000000`,
  )

/**
 * Where the parts begin and end. A part includes its beginning, so the window's exclusive bound becomes the next
 * millisecond, which is the databases' precision.
 */
function boundRows(window: OrderFilter['window'], bounds: string[], isSqlite: boolean): SQL {
  const [first, last] = isSqlite ? ['', '~'] : ['-infinity', 'infinity']
  const from = window ? new Date(window.after.getTime() + 1).toISOString() : first
  const to = window ? window.before.toISOString() : last
  const within = window ? bounds.filter((bound) => bound > from && bound < to) : bounds
  const edges = [from, ...within]
  const rows = edges.map(
    (edge, index) => sql`(${sql.raw(String(index))}, ${edge}, ${edges[index + 1] ?? to})`,
  )
  return sql.join(rows, sql`, `)
}
