import { sql } from 'drizzle-orm'
import { column, columnOrNull, optionalColumn } from '../../core/database/database.js'
import type { Shop } from '../../core/shop.js'
import { decimalAmount } from '../orders/money.js'
import { savingSinceField } from '../orders/save-mark.js'
import { referenceOf } from '../orders/stored-value.js'

/** An older payment no longer counts, as with orders that wait. */
export const furthestBackMs = 30 * 24 * 60 * 60_000

export type PaymentTables = NonNullable<ReturnType<typeof paymentTables>>

/** The tables and columns by which payments and their orders are read. Undefined in a shop that has no payments. */
export function paymentTables({ database, effects, options: names }: Shop) {
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
  /** The order of a payment, as the payment or the order says. PostgreSQL has no least UUID. */
  const orderOf = sql`coalesce(${columnOrNull(table, 'order')}, ${
    link
      ? sql`(select ${link.parent} from ${link.relations} where ${link.related} = ${id} and ${link.isOne}
          order by ${link.parent} limit 1)`
      : sql`null`
  })`

  const carts = database.optionalTable(collections.carts)
  const boughtAt = carts && optionalColumn(carts, 'purchasedAt')
  const ofCart = carts && sql`left join ${carts} on ${column(carts, 'id')} = "paid"."cart"`

  const columns = sql`${id} as "id", ${cart} as "cart", ${status} as "status", ${amount} as "amount",
    cast(${columnOrNull(table, 'currency')} as text) as "currency", ${createdAt} as "begunAt",
    ${updatedAt} as "changedAt", ${orderOf} as "order"`
  const withOrders = sql`select "paid".*, ${boughtAt ?? sql`null`} as "boughtAt",
      ${order.status} as "orderStatus", ${order.amount} as "orderAmount", ${order.savingSince} as "savingSince"
    from "paid" ${ofCart ?? sql``} left join ${orders} on ${order.id} = "paid"."order"`

  const furthest = () => new Date(effects.now().getTime() - furthestBackMs).toISOString()

  return {
    ...{ table, id, createdAt, updatedAt, cart, status, amount, isThere },
    ...{ orders, order, number, link, carts, columns, withOrders, furthest },
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
