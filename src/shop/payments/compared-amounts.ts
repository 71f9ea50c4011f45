import { sql } from 'drizzle-orm'
import { columnType } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { jsonRows } from '../../core/database/json-rows.js'
import { countedAtMost, type NamedOrder } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import { endingStatuses } from '../orders/happening.js'
import { orderCondition } from '../orders/order-reader.js'
import { amountText, type PaymentTables } from './payment-tables.js'

/** A day of the shop, such as `2026-01-31`, from a moment to another. */
export interface Day {
  day: string
  from: Date
  to: Date
}

/** What was paid on a day in one currency, and ordered: amounts with their currency. */
export interface ComparedDay {
  day: string
  paid: string
  ordered: string
  /** Undefined when there is none. */
  difference: string | undefined
}

/** An order of another amount than what was paid for it. */
export interface DifferingOrder extends NamedOrder {
  /** What was paid beyond the order, with its currency; negative where it was less. */
  difference: string
  /** When its last payment was begun. */
  since: Date
}

/** Compares what was paid with what was ordered. */
export function createComparisons({ database, options }: Shop, tables: PaymentTables) {
  const { table, createdAt, status, amount, isThere, orders, order, number, columns, furthest } =
    tables
  return {
    /** What was paid on each of these days, the newest first, in each currency, and the orders that these payments have. */
    async compared(days: readonly Day[]): Promise<ComparedDay[]> {
      const asked = days.map(({ day, from, to }) => {
        return { day, from: from.toISOString(), to: to.toISOString() }
      })
      const since = asked.at(-1)?.from ?? furthest()
      const shape = { day: 'text', from: columnType(createdAt), to: columnType(createdAt) }
      const rows = await database.rows(sql`with "paid" as (select ${columns} from ${table}
          where ${createdAt} >= ${since} and ${amount} > 0 and ${status} = 'succeeded' and ${isThere}),
        "ranked" as (select *, row_number() over (partition by "order" order by "begunAt", "id") as "place"
          from "paid")
        select "days"."day" as "day", "ranked"."currency" as "currency",
          sum("ranked"."amount") as "paid", sum(case when "ranked"."place" = 1 then ${order.amount} else 0 end) as "ordered"
        from ${jsonRows(database, shape, asked)} as "days"
        join "ranked" on "ranked"."begunAt" >= "days"."from" and "ranked"."begunAt" < "days"."to"
        left join ${orders} on ${order.id} = "ranked"."order"
        group by "days"."day", "ranked"."currency" order by "day" desc, "currency"`)
      return rows.map((row) => {
        const currency = String(row.currency ?? '')
        const [paid, ordered] = [Number(row.paid), Number(row.ordered ?? 0)]
        return {
          day: String(row.day),
          paid: amountText(paid, currency),
          ordered: amountText(ordered, currency),
          difference: paid === ordered ? undefined : amountText(paid - ordered, currency),
        }
      })
    },

    /** The orders that differ from all that was paid for them: of these, or last paid in that time. The newest first. */
    async differing(
      which: { from: Date; to: Date } | { orders: readonly DocumentId[] },
    ): Promise<DifferingOrder[]> {
      const isOne = 'orders' in which ? database.isOneOf(order.id, which.orders) : sql`true`
      const last = sql`max("paid"."begunAt")`
      const isThen =
        'orders' in which
          ? sql`true`
          : sql`${last} >= ${which.from.toISOString()} and ${last} < ${which.to.toISOString()}`
      const rows = await database.rows(sql`with "paid" as (select ${columns} from ${table}
          where ${createdAt} > ${furthest()} and ${amount} > 0 and ${status} = 'succeeded' and ${isThere})
        select ${order.id} as "id", min(${number}) as "number", max("paid"."currency") as "currency",
          sum("paid"."amount") - min(${order.amount}) as "difference", ${last} as "since"
        from "paid" join ${orders} on ${order.id} = "paid"."order"
        where ${isOne} and not ${database.isOneOf(order.status, [...endingStatuses])}
          and ${orderCondition({ database, options })}
        group by ${order.id}
        having sum("paid"."amount") <> min(${order.amount}) and ${isThen}
        order by "since" desc, ${order.id} desc limit ${countedAtMost}`)
      return rows.map((row) => ({
        id: row.id as DocumentId,
        number: String(row.number),
        difference: amountText(Number(row.difference), String(row.currency ?? '')),
        since: new Date(String(row.since)),
      }))
    },
  }
}
