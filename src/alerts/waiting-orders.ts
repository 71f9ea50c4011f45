import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { column, columnOrNull, type Database, type Row } from '../database/database.js'
import { statusChangesField } from '../orders/order-fields.js'
import { orderCondition } from '../orders/order-reader.js'
import type { ShopNames } from '../orders/shop-names.js'
import { readStatusChanges } from '../orders/status-history.js'
import { skippedOrdersSlug } from '../shipping/export/skipped-orders.js'
import { noticesSlug } from '../shipping/notice/notice-collection.js'
import { countedAtMost } from './conditions.js'

const dayMs = 24 * 60 * 60_000

/** An older order no longer counts: nobody waits for its parcel any more. */
const furthestBackMs = 30 * dayMs

/** Orders changed since the last pull that are looked at; one paid order among them is enough. */
const newestRead = 5_000

interface WaitingParts {
  database: Database
  names: ShopNames
  /** Orders that one statement reads, so that other queries do not wait long for the database. Default 2,000. */
  pageSize?: number
}

/** How many orders wait, up to `countedAtMost`, and since when the first does. */
export interface WaitingOrders {
  count: number
  since: Date | undefined
}

/** Finds paid orders that wait, by the indexes of `updatedAt` and `createdAt`. */
export function createWaitingOrders({ database, names, pageSize = 2_000 }: WaitingParts) {
  const orders = database.table(names.collections.orders)
  const of = {
    id: column(orders, 'id'),
    createdAt: column(orders, 'createdAt'),
    updatedAt: column(orders, 'updatedAt'),
    status: column(orders, names.fields.status),
    changes: columnOrNull(orders, statusChangesField),
  }
  const notices = database.table(noticesSlug)
  const skipped = database.table(skippedOrdersSlug)
  const condition = orderCondition(orders)
  // As text: PostgreSQL refuses a value that a dropdown's enum does not have.
  const status = sql`cast(${of.status} as text)`
  const isShipped = sql`exists (select 1 from ${notices}
    where ${column(notices, 'order')} = "page"."id")`
  // The store keeps it back, or it has nothing that could be shipped.
  const isKeptBack = sql`exists (select 1 from ${skipped}
    where ${column(skipped, 'order')} = "page"."id" and ${column(skipped, 'isFailure')} is not true)`

  /** The page's last order, with `isEnd`, and the orders in it that were paid and not shipped. */
  const readPage = (from: { at: string; id: unknown }, until: Date, paid: readonly string[]) => {
    const behind =
      from.id === undefined
        ? sql`${of.createdAt} > ${from.at}`
        : sql`${of.createdAt} >= ${from.at} and (${of.createdAt} > ${from.at} or ${of.id} > ${from.id})`
    return database.rows(sql`with "page" as (select ${of.id} as "id", ${of.createdAt} as "at",
        ${status} as "status", ${of.changes} as "changes" from ${orders}
        where ${behind} and ${of.createdAt} < ${until.toISOString()} and ${condition}
        order by ${of.createdAt}, ${of.id} limit ${pageSize})
      select * from (select "id", "at", cast(null as jsonb) as "changes", 1 as "isEnd" from "page"
        order by "at" desc, "id" desc limit 1) as "end"
      union all
      select * from (select "id", "at", "changes", 0 as "isEnd" from "page"
        where ${database.isOneOf(sql`"page"."status"`, paid)}
          and not ${isShipped} and not ${isKeptBack}) as "waiting"`)
  }

  return {
    /** Paid orders that have waited for their shipment since before `until`. */
    async unshipped({
      until,
      paid,
    }: {
      until: Date
      paid: readonly string[]
    }): Promise<WaitingOrders> {
      const since: number[] = []
      let from: { at: string; id: unknown } = {
        at: new Date(until.getTime() - furthestBackMs).toISOString(),
        id: undefined,
      }
      while (since.length < countedAtMost) {
        // SQLite blocks the process while it reads a page. Requests are answered in between.
        await yieldToOthers()
        const rows = await readPage(from, until, paid)
        const end = rows.find(({ isEnd }) => Number(isEnd) === 1)
        if (end === undefined) break
        from = { at: new Date(String(end.at)).toISOString(), id: end.id }
        const waiting = rows.filter(({ isEnd }) => Number(isEnd) === 0)
        since.push(
          ...waiting.map((row) => paidSince(row, paid)).filter((at) => at < until.getTime()),
        )
      }
      return {
        count: Math.min(since.length, countedAtMost),
        since: since.length === 0 ? undefined : new Date(Math.min(...since)),
      }
    },

    /** Whether a paid order changed after a pull and up to `until`, so that ShipStation lacks it. */
    async isWaitingForPull({
      since,
      until,
      paid,
    }: {
      since: Date | undefined
      until: Date
      paid: readonly string[]
    }): Promise<boolean> {
      const from = since ?? new Date(until.getTime() - furthestBackMs)
      const [row] = await database.rows(sql`select 1 as "found" from (
          select ${status} as "status" from ${orders}
          where ${of.updatedAt} > ${from.toISOString()} and ${of.updatedAt} <= ${until.toISOString()}
            and ${condition}
          order by ${of.updatedAt} desc limit ${newestRead}) as "changed"
        where ${database.isOneOf(sql`"changed"."status"`, paid)} limit 1`)
      return row !== undefined
    },
  }
}

export type WaitingOrdersReader = ReturnType<typeof createWaitingOrders>

/** Since when an order has been paid, in milliseconds since 1970: since it was made, if it was so then. */
function paidSince({ at, changes }: Row, paid: readonly string[]): number {
  const history = readStatusChanges(changes)
  const lastOther = history.findLastIndex(({ status }) => !paid.includes(status))
  return new Date(history[lastOther + 1]?.at ?? String(at)).getTime()
}
