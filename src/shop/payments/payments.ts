import { sql, type SQL } from 'drizzle-orm'
import {
  column,
  columnOrNull,
  momentOf,
  optionalColumn,
  type Row,
} from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { countedAtMost, type NamedOrder } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import { endingStatuses } from '../orders/happening.js'
import { orderCondition } from '../orders/order-reader.js'
import { createComparisons } from './compared-amounts.js'
import { amountText, paymentTables } from './payment-tables.js'
import {
  problemsAmong,
  settledAfterMs,
  type Payment,
  type ProblemPayment,
} from './payment-problem.js'

/** Payments that one look judges; the oldest first. */
const judgedAtMost = 500

const unpaid = sql`('failed', 'cancelled', 'expired')`

/** Payments that one look asks about. What is passed over is asked about when it is twice as old. */
const askedAtMost = 100

interface AskedFor {
  methods: readonly string[]
  /** In milliseconds since a payment was begun. */
  ages: readonly number[]
  since: Date
  now: Date
}

/** A payment, as its confirmation is decided by. */
export interface ConfirmablePayment extends Omit<Payment, 'status'> {
  status: string
  /** All payments that were made for its cart. */
  others: readonly Payment[]
  /** An order whose creation was cut off. */
  begunOrder: DocumentId | undefined
}

/** A page shows the newest. */
const toldAtMost = 50

/** A payment as stories tell of it. */
export interface PaymentOfStory {
  id: DocumentId
  status: string
  /** With its currency. */
  amount: string
  begunAt: Date
}

export type Payments = NonNullable<ReturnType<typeof createPayments>>

/** Reads payments by the index of `createdAt`. Undefined in a shop that has none. */
export function createPayments(shop: Shop) {
  const { database, effects, options: names } = shop
  const { fields } = names
  const tables = paymentTables(shop)
  if (tables === undefined) return undefined
  const { table, id, createdAt, updatedAt, cart, status, amount, isThere } = tables
  const { orders, order, number, link, carts, columns, withOrders, furthest } = tables

  const readStory = async (condition: SQL): Promise<PaymentOfStory[]> => {
    const rows = await database.rows(sql`select ${id} as "id", ${status} as "status",
        ${amount} as "amount", ${columnOrNull(table, 'currency')} as "currency", ${createdAt} as "begunAt"
      from ${table} where ${condition} and ${isThere} order by ${id} desc limit ${toldAtMost}`)
    return rows.map((row) => ({
      id: row.id as DocumentId,
      status: String(row.status),
      amount: amountText(Number(row.amount ?? 0), String(row.currency ?? '')),
      begunAt: new Date(String(row.begunAt)),
    }))
  }

  /** An order that has the number of the cart, and no payment: its creation was cut off. */
  const readBegunOrder = async (cartId: DocumentId): Promise<DocumentId | undefined> => {
    const [own, ofCarts] = [orders, carts].map(
      (each) => each && optionalColumn(each, fields.number),
    )
    if (carts === undefined || !own || !ofCarts || link === undefined) return undefined
    const [row] = await database.rows(sql`select ${order.id} as "id" from ${orders}
      where ${own} = (select ${ofCarts} from ${carts} where ${column(carts, 'id')} = ${cartId})
        and not exists (select 1 from ${link.relations} where ${link.parent} = ${order.id} and ${link.isOne})
      limit 1`)
    return row?.id as DocumentId | undefined
  }

  return {
    ...createComparisons(shop, tables),

    /** The payments with which something is wrong, the oldest first. `confirmed`: pending ones that were paid. */
    async problems(confirmed: readonly DocumentId[] = []): Promise<ProblemPayment[]> {
      const rows = await database.rows(sql`with "paid" as materialized (
          select ${columns} from ${table} where ${createdAt} > ${furthest()} and ${amount} > 0 and ${isThere}
            and (${status} in ('processing', 'succeeded')
              or (${status} = 'pending' and ${database.isOneOf(id, confirmed)})))
        ${withOrders} where "paid"."order" is null or "paid"."status" <> 'succeeded' or "paid"."cart" in
          (select "cart" from "paid" group by "cart" having count(*) > 1)
        order by "paid"."begunAt", "paid"."id" limit ${judgedAtMost}`)
      return problemsAmong(rows.map(paymentOf), effects.now())
    },

    /** Those of these payments that are still pending. */
    async stillPending(ids: readonly DocumentId[]): Promise<DocumentId[]> {
      const rows = await database.rows(sql`select ${id} as "id" from ${table}
        where ${database.isOneOf(id, ids)} and ${status} = 'pending' and ${isThere}`)
      return rows.map((row) => row.id as DocumentId)
    },

    /** The pending payments of these methods that reached one of these ages between two moments, the newest first. */
    async toAsk({ methods, ages, since, now }: AskedFor): Promise<DocumentId[]> {
      const before = (moment: Date, ms: number) => new Date(moment.getTime() - ms).toISOString()
      const isDue = ages.map(
        (age) => sql`${createdAt} > ${before(since, age)} and ${createdAt} <= ${before(now, age)}`,
      )
      const method = sql`cast(${columnOrNull(table, 'paymentMethod')} as text)`
      const rows = await database.rows(sql`select ${id} as "id" from ${table}
        where (${sql.join(isDue, sql` or `)}) and ${status} = 'pending' and ${amount} > 0 and ${isThere}
          and ${database.isOneOf(method, methods)}
        order by ${createdAt} desc, ${id} desc limit ${askedAtMost}`)
      return rows.map((row) => row.id as DocumentId)
    },

    /** What its confirmation is decided by; undefined without such a payment. */
    async confirmable(paymentId: DocumentId): Promise<ConfirmablePayment | undefined> {
      const isOfCart = sql`${cart} = (select ${cart} from ${table} where ${id} = ${paymentId})`
      const rows = await database.rows(sql`with "paid" as (
          select ${columns} from ${table} where ${isThere} and (${id} = ${paymentId} or ${isOfCart}
            and ${status} in ('processing', 'succeeded')))
        ${withOrders}`)
      const row = rows.find((each) => each.id === paymentId)
      if (row === undefined) return undefined
      const payment = paymentOf(row)
      const isCutOff = payment.order !== undefined && row.savingSince !== null
      return {
        ...payment,
        status: String(row.status),
        others: rows.map(paymentOf),
        begunOrder: isCutOff
          ? payment.order?.id
          : payment.cart === undefined
            ? undefined
            : await readBegunOrder(payment.cart),
      }
    },

    /** The newest payments of an order. */
    ofOrder: (orderId: DocumentId) =>
      readStory(
        link
          ? sql`(${columnOrNull(table, 'order')} = ${orderId} or ${id} in (select ${link.related}
              from ${link.relations} where ${link.parent} = ${orderId} and ${link.isOne}))`
          : sql`${columnOrNull(table, 'order')} = ${orderId}`,
      ),

    /** The newest payments of a customer. */
    ofCustomer: (customerId: DocumentId) =>
      readStory(sql`${columnOrNull(table, 'customer')} = ${customerId}`),

    /** The orders of the checkout whose every payment failed, expired or was cancelled. */
    async unpaidOrders(): Promise<(NamedOrder & { since: Date })[]> {
      if (link === undefined) return []
      const settled = new Date(effects.now().getTime() - settledAfterMs).toISOString()
      const joined = sql`${link.relations} join ${table} on ${id} = ${link.related}`
      const rows = await database.rows(sql`select ${order.id} as "id", min(${number}) as "number",
          max(${updatedAt}) as "since"
        from ${joined} join ${orders} on ${order.id} = ${link.parent}
        where ${link.isOne} and ${order.id} in (select ${link.parent} from ${joined}
            where ${createdAt} > ${furthest()} and ${link.isOne} and ${status} in ${unpaid})
          and ${order.amount} > 0 and not ${database.isOneOf(order.status, [...endingStatuses])}
          and ${orderCondition({ database, options: names })}
        group by ${order.id}
        having sum(case when ${status} in ${unpaid} then 0 else 1 end) = 0
          and max(${updatedAt}) <= ${settled}
        order by "since", ${order.id} limit ${countedAtMost}`)
      return rows.map((row) => ({
        id: row.id as DocumentId,
        number: String(row.number),
        since: new Date(String(row.since)),
      }))
    },
  }
}

const paymentOf = (row: Row): Payment => ({
  id: row.id as DocumentId,
  status: row.status as Payment['status'],
  amount: Number(row.amount),
  currency: String(row.currency ?? ''),
  begunAt: new Date(String(row.begunAt)),
  changedAt: new Date(String(row.changedAt)),
  cart: (row.cart ?? undefined) as DocumentId | undefined,
  isCartBought: momentOf(row.boughtAt) !== undefined,
  order:
    row.order === null
      ? undefined
      : {
          id: row.order as DocumentId,
          amount: Number(row.orderAmount),
          status: String(row.orderStatus),
        },
})
