import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql, type Column, type SQL } from 'drizzle-orm'
import {
  column,
  columnOrNull,
  momentOf,
  optionalColumn,
  type Row,
} from '../core/database/database.js'
import { referenceOf } from '../shop/orders/stored-value.js'
import { statusChangesField } from '../shop/orders/order-fields.js'
import { orderCondition } from '../shop/orders/order-reader.js'
import type { DocumentId } from '../core/database/document-id.js'
import { readStatusChanges } from '../shop/orders/status-history.js'
import type { Shop } from '../core/shop.js'
import { pullTable } from './pulls.js'
import { skippedOrdersSlug } from './export/skipped-orders.js'
import { noticesSlug } from './notice/notice-collection.js'
import { countedAtMost, ordersNamed, type NamedOrder } from '../core/matter.js'

const dayMs = 24 * 60 * 60_000

/** An older order no longer counts: nobody waits for its parcel any more. */
const furthestBackMs = 30 * dayMs

/** Orders that one statement reads, so that other queries do not wait long for the database. */
const pageSize = 2_000

/** The orders to search, by a date that has an index, and the condition by which they wait. */
interface Search {
  by: Column
  after: Date
  until: Date
  waits: SQL
  store?: SQL | undefined
  /** How many orders of a page are read; all without it. */
  most?: number
}

/** Finds paid orders that wait, by the indexes of `updatedAt` and `createdAt`. */
export function createWaitingOrders(shop: Shop) {
  const { database, options: names } = shop
  const orders = database.table(names.collections.orders)
  const of = {
    id: column(orders, 'id'),
    createdAt: column(orders, 'createdAt'),
    updatedAt: column(orders, 'updatedAt'),
    status: column(orders, names.fields.status),
    changes: columnOrNull(orders, statusChangesField),
    number: sql`coalesce(${referenceOf(orders, names)}, cast(${column(orders, 'id')} as text))`,
  }
  const notices = database.table(noticesSlug)
  const skipped = database.table(skippedOrdersSlug)
  const condition = orderCondition(shop)
  // As text: PostgreSQL refuses a value that a dropdown's enum does not have.
  const status = sql`cast(${of.status} as text)`
  const isShipped = sql`exists (select 1 from ${notices}
    where ${column(notices, 'order')} = "page"."id")`
  // The store keeps it back, or it has nothing that could be shipped.
  const isKeptBack = sql`exists (select 1 from ${skipped}
    where ${column(skipped, 'order')} = "page"."id" and ${column(skipped, 'isFailure')} is not true)`

  const isPaid = (paid: readonly string[]) => database.isOneOf(sql`"page"."status"`, paid)

  /** The page's last order, with `isEnd`, and the orders in it that wait. */
  const readPage = (
    from: { at: string; id: unknown },
    { by, until, waits, store = sql`null`, most }: Search,
  ) => {
    const first = most === undefined ? sql`` : sql`order by "at", "id" limit ${most}`
    const isAfter =
      from.id === undefined
        ? sql`${by} > ${from.at}`
        : sql`${by} >= ${from.at} and (${by} > ${from.at} or ${of.id} > ${from.id})`
    return database.rows(sql`with "page" as (select ${of.id} as "id", ${by} as "at",
        ${status} as "status", ${store} as "store", ${of.changes} as "changes", ${of.number} as "number" from ${orders}
        where ${isAfter} and ${by} <= ${until.toISOString()} and ${condition}
        order by ${by}, ${of.id} limit ${pageSize})
      select * from (select "id", "at", cast(null as jsonb) as "changes", "number", 1 as "isEnd"
        from "page" order by "at" desc, "id" desc limit 1) as "end"
      union all
      select * from (select "id", "at", "changes", "number", 0 as "isEnd" from "page"
        where ${waits} ${first}) as "waiting"`)
  }

  /** The orders of a search that wait, page by page, the oldest pages first. */
  async function* waitingPages(search: Search): AsyncGenerator<Row[]> {
    let from: { at: string; id: unknown } = { at: search.after.toISOString(), id: undefined }
    for (;;) {
      // SQLite blocks the process while it reads a page. Requests are answered in between.
      await yieldToOthers()
      const rows = await readPage(from, search)
      const end = rows.find(({ isEnd }) => Number(isEnd) === 1)
      if (end === undefined) return
      from = { at: new Date(String(end.at)).toISOString(), id: end.id }
      yield rows.filter(({ isEnd }) => Number(isEnd) === 0)
    }
  }

  return {
    /** How many paid orders wait for their shipment since before `until`, since when, and the first of them. */
    async unshipped({ until, paid }: { until: Date; paid: readonly string[] }) {
      const found: (NamedOrder & { since: number })[] = []
      const pages = waitingPages({
        by: of.createdAt,
        after: new Date(until.getTime() - furthestBackMs),
        until,
        waits: sql`${isPaid(paid)} and not ${isShipped} and not ${isKeptBack}`,
      })
      for await (const rows of pages) {
        const waiting = rows.map((row) => ({ ...named(row), since: paidSince(row, paid) }))
        found.push(...waiting.filter(({ since }) => since < until.getTime()))
        if (found.length >= countedAtMost) break
      }
      found.sort((one, other) => one.since - other.since)
      return {
        count: Math.min(found.length, countedAtMost),
        since: found[0] && new Date(found[0].since),
        orders: found.slice(0, ordersNamed).map(({ id, number }) => ({ id, number })),
      }
    },

    /**
     * The first paid orders that changed after a pull, within 30 days, and up to `until`, so that ShipStation lacks
     * them.
     */
    async waitingForPull({
      since,
      until,
      paid,
    }: {
      since: Date | undefined
      until: Date
      paid: readonly string[]
    }): Promise<NamedOrder[]> {
      const furthest = new Date(until.getTime() - furthestBackMs)
      const after = since !== undefined && since > furthest ? since : furthest
      const pages = waitingPages({ by: of.updatedAt, after, until, waits: isPaid(paid) })
      for await (const rows of pages) {
        if (rows.length > 0) return rows.slice(0, ordersNamed).map(named)
      }
      return []
    },

    /**
     * The orders that had one of these statuses when ShipStation shipped them, without those that were ended again
     * since.
     */
    async shippedAfterTheirEnd({ after, ended }: { after: Date; ended: readonly string[] }) {
      const notice = (name: string) => column(notices, name)
      const isEnded = database.isOneOf(status, ended)
      const rows = await database.rows(sql`select ${of.id} as "id", min(${of.number}) as "number",
          min(${notice('createdAt')}) as "at"
        from ${notices} join ${orders} on ${of.id} = ${notice('order')}
        where ${database.isOneOf(notice('statusBefore'), ended)}
          and ${notice('createdAt')} > ${after.toISOString()}
          and (${database.isOneOf(notice('statusAfter'), ended)} or not ${isEnded})
        group by ${of.id} order by "at" limit ${countedAtMost}`)
      return rows.map((row) => ({ ...named(row), at: new Date(String(row.at)) }))
    },

    /** The first paid orders that changed between two moments and that no pull has asked for since. */
    async outsidePulls({
      after,
      until,
      paid,
      storeField,
    }: {
      after: Date
      until: Date
      paid: readonly string[]
      storeField: string
    }): Promise<{ orders: NamedOrder[]; changedAt: Date | undefined }> {
      const { table, of: pull } = pullTable({ database })
      const [start, end] = [pull('pull', 'windowStart'), pull('pull', 'windowEnd')]
      const isAsked = sql`exists (select 1 from ${table} as "pull"
        where ${pull('pull', 'createdAt')} > "page"."at" and ${pull('pull', 'state')} is not null
          and (${start} is null or ${start} < "page"."at")
          and (${end} is null or ${end} > "page"."at")
          and (${pull('pull', 'store')} is null or ${pull('pull', 'store')} = "page"."store"))`
      const field = storeField === '' ? undefined : optionalColumn(orders, storeField)
      const pages = waitingPages({
        by: of.updatedAt,
        after,
        until,
        waits: sql`${isPaid(paid)} and not ${isAsked}`,
        store: field && sql`cast(${field} as text)`,
        most: ordersNamed,
      })
      for await (const [first, ...others] of pages) {
        if (first === undefined) continue
        return { orders: [first, ...others].map(named), changedAt: momentOf(first.at) }
      }
      return { orders: [], changedAt: undefined }
    },
  }
}

const named = ({ id, number }: Row): NamedOrder => ({
  id: id as DocumentId,
  number: String(number),
})

/** Since when an order has been paid, in milliseconds since 1970: since it was made, if it was paid then. */
function paidSince({ at, changes }: Row, paid: readonly string[]): number {
  const entries = readStatusChanges(changes)
  const lastOther = entries.findLastIndex(({ status }) => !paid.includes(status))
  return new Date(entries[lastOther + 1]?.at ?? String(at)).getTime()
}
