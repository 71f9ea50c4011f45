import { sql, type SQL } from 'drizzle-orm'
import {
  column,
  columnOrNull,
  columnType,
  momentOf,
  optionalColumn,
  type Row,
} from '../../core/database/database.js'
import { jsonRows } from '../../core/database/json-rows.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { countedAtMost, type NamedOrder } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import { endingStatuses } from '../orders/happening.js'
import { decimalAmount } from '../orders/money.js'
import { orderCondition } from '../orders/order-reader.js'
import { savingSinceField } from '../orders/save-mark.js'
import { referenceOf } from '../orders/stored-value.js'
import {
  problemsAmong,
  settledAfterMs,
  type Payment,
  type ProblemPayment,
} from './payment-problem.js'

/** An older payment no longer counts, as with orders that wait. */
export const furthestBackMs = 30 * 24 * 60 * 60_000

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
export function createPayments({ database, effects, options: names }: Shop) {
  const { collections, fields } = names
  const table = database.optionalTable(collections.transactions)
  const own = table && {
    status: optionalColumn(table, 'status'),
    amount: optionalColumn(table, 'amount'),
  }
  if (table === undefined || !own?.status || !own.amount) return undefined
  const { amount } = own
  const [id, createdAt] = [column(table, 'id'), column(table, 'createdAt')]
  const [updatedAt, cart] = [column(table, 'updatedAt'), columnOrNull(table, 'cart')]
  // As text: PostgreSQL refuses a value that a dropdown's enum does not have.
  const status = sql`cast(${own.status} as text)`
  const deletedAt = optionalColumn(table, 'deletedAt')
  // Written so that the index of `createdAt` is used, and not that of a value which nearly all share.
  const isThere = deletedAt ? sql`(${deletedAt} is null) is true` : sql`true`

  const orders = database.table(collections.orders)
  const order = {
    id: column(orders, 'id'),
    status: sql`cast(${column(orders, fields.status)} as text)`,
    amount: columnOrNull(orders, fields.amount),
    savingSince: column(orders, savingSinceField),
  }
  const number = sql`coalesce(${referenceOf(orders, names)}, cast(${order.id} as text))`
  const link = linksToPayments({ database, options: names })
  /** The order of a payment, as the payment or the order says. */
  const orderOf = sql`coalesce(${columnOrNull(table, 'order')}, ${
    link
      ? sql`(select min(${link.parent}) from ${link.relations} where ${link.related} = ${id} and ${link.isOne})`
      : sql`null`
  })`

  const carts = database.optionalTable(collections.carts)
  const boughtAt = carts && optionalColumn(carts, 'purchasedAt')
  const ofCart = carts && sql`left join ${carts} on ${column(carts, 'id')} = "paid"."cart"`

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

  const columns = sql`${id} as "id", ${cart} as "cart", ${status} as "status", ${amount} as "amount",
    cast(${columnOrNull(table, 'currency')} as text) as "currency", ${createdAt} as "begunAt",
    ${updatedAt} as "changedAt", ${orderOf} as "order"`
  const withOrders = sql`select "paid".*, ${boughtAt ?? sql`null`} as "boughtAt",
      ${order.status} as "orderStatus", ${order.amount} as "orderAmount", ${order.savingSince} as "savingSince"
    from "paid" ${ofCart ?? sql``} left join ${orders} on ${order.id} = "paid"."order"`

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

  const furthest = () => new Date(effects.now().getTime() - furthestBackMs).toISOString()

  return {
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
          and ${orderCondition({ database, options: names })}
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

export const amountText = (amount: number, currency: string): string =>
  `${decimalAmount(amount, currency)} ${currency}`.trim()

/** The rows that say which payments an order names; undefined where orders keep that in another way. */
function linksToPayments({
  database,
  options: { collections, fields },
}: Pick<Shop, 'database' | 'options'>) {
  const relations = database.optionalTable(collections.orders, 'rels')
  const related = relations && optionalColumn(relations, `${collections.transactions}ID`)
  if (relations === undefined || related === undefined) return undefined
  return {
    relations,
    related,
    parent: column(relations, 'parent'),
    isOne: sql`${column(relations, 'path')} = ${fields.transactions}`,
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
