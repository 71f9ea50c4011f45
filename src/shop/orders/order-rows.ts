import { sql, type Column, type SQL } from 'drizzle-orm'
import { type Order, orderFieldRows } from './order.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Shop } from '../../core/shop.js'
import type { ShopNames } from '../../core/shop-names.js'
import {
  column,
  columnOrNull,
  optionalColumn,
  type Database,
  type PayloadTable,
  type Row,
} from '../../core/database/database.js'
import {
  jsonDialect,
  namedValues,
  type JsonDialect,
  type Values,
} from '../../core/database/json-rows.js'
import { completeLines } from './line-snapshot.js'
import { addressParts, readOrder, type OrderValues } from './order-values.js'
import { lineFieldRoute } from './named-fields.js'
import { namedIn, namedValue, storedValue, valueOfRows } from './stored-value.js'

/** More columns or expressions to select with each order, by their names in the result. */
export type FurtherColumns = Readonly<Record<string, SQL | Column>>

export interface OrderAndRow {
  order: Order
  row: Row
}

/** Reads the orders of these ids. Ids without an order are left out. */
export type ReadWith = (ids: readonly DocumentId[], also: FurtherColumns) => Promise<OrderAndRow[]>

/** The further columns as SQL, to follow a list of columns. */
export const further = (also: FurtherColumns): SQL =>
  sql.join(Object.entries(also).map(([name, value]) => sql`, ${value} as ${sql.identifier(name)}`))

/**
 * Reads whole orders with one statement. Each comes back as one JSON text: a page of 500 orders costs the driver
 * 500 values instead of 30,000.
 */
export function createOrderRows(shop: Shop): ReadWith {
  const { database, options: names } = shop
  const orders = database.table(names.collections.orders)
  const id = column(orders, 'id')
  const json = jsonDialect(database)

  const lines = lineItems(shop, json)
  const columns = {
    ...orderColumns(shop, json),
    email: customerEmail(shop),
    paymentMethod: paymentMethod(shop),
    siteBaseUrl: valueOfSite(shop, 'baseUrl'),
    items: lines.select,
  }
  const columnNames = Object.keys(columns)
  const whole = database.fixed(sql`${json.array(Object.values(columns))} as "order"`)

  const valuesOf = (order: unknown): OrderValues => {
    const values = namedValues(columnNames, json.parse(order)) as OrderValues
    values.items = (values.items as unknown as Values[]).map(lines.read)
    return values
  }

  return async (ids, also) => {
    const rows = await database.rows(sql`select ${whole()} ${further(also)} from ${orders}
      where ${database.isOneOf(id, ids)}`)
    const found = rows.map((row) => ({ row, values: valuesOf(row.order) }))
    await completeLines(
      found.map(({ values }) => values),
      shop,
    )
    return found.map(({ row, values }) => ({ order: readOrder(values), row }))
  }
}

function orderColumns(shop: Shop, json: JsonDialect) {
  const { database, options: names } = shop
  const { collections, fields } = names
  const orders = database.table(collections.orders)
  const summed = summaryReader(database, names)
  const required = (name: string) => column(orders, name)
  const named = (name: keyof ShopNames['fields']) => namedValue(shop, name)
  const address = (field: string) =>
    json.array(
      Object.values(addressParts).map((part) =>
        storedValue(shop, collections.orders, `${field}.${part}`),
      ),
    )
  return {
    id: required('id'),
    createdAt: required('createdAt'),
    updatedAt: required('updatedAt'),
    number: named('number'),
    site: named('site'),
    reference: required(fields.reference),
    status: required(fields.status),
    total: named('amount'),
    currency: named('currency'),
    customer: named('customer'),
    reason: named('reason'),
    refundedAmount: named('refundedAmount'),
    ...Object.fromEntries(
      orderFieldRows.map(([name, { summaryLines }]) => [
        name,
        summaryLines ? summed(named(name), summaryLines) : named(name),
      ]),
    ),
    shippingAddress: address(fields.shippingAddress),
    billingAddress: address(fields.billingAddress),
  }
}

/** Uses the sum of the extension's summary lines, where discounts are negative, for an amount that an order lacks. */
function summaryReader(database: Database, { collections }: ShopNames) {
  const orders = database.table(collections.orders)
  const lines = database.optionalTable(collections.orders, 'summary', 'lines')
  const type = lines && optionalColumn(lines, 'type')
  const amount = lines && optionalColumn(lines, 'amount')
  return (own: Column | SQL, lineType: string) =>
    lines && type && amount
      ? // As text: PostgreSQL refuses a type that the store's dropdown does not have.
        sql`coalesce(${own}, (select abs(sum(${amount})) from ${lines}
          where ${column(lines, '_parentID')} = ${column(orders, 'id')}
            and cast(${type} as text) = ${lineType}))`
      : own
}

function lineItems(shop: Shop, json: JsonDialect) {
  const { database, options } = shop
  const { collections, fields } = options
  const orders = database.table(collections.orders)
  const items = database.table(collections.orders, fields.items)
  const choices = database.optionalTable(collections.orders, fields.items, 'options')
  const rows = {
    table: items,
    document: { slug: collections.orders, id: column(orders, 'id') },
    above: '',
  }
  const values = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, valueOfRows(shop, rows, name)]))
  const named = (name: 'refundedQuantity' | 'refundedAmount') => {
    const route = lineFieldRoute(name, options, namedIn(shop))
    return route === undefined ? sql`null` : valueOfRows(shop, rows, route.path)
  }
  const pairs =
    choices === undefined
      ? sql`null`
      : json.list(
          json.array(
            ['name', 'value'].map((part) => valueOfRows(shop, { ...rows, table: choices }, part)),
          ),
          sql`${choices} where ${column(choices, '_parentID')} = ${column(items, 'id')}`,
          column(choices, '_order'),
        )
  const columns = {
    id: column(items, 'id'),
    ...values('product', 'variant', 'slug', 'brand', 'categories'),
    quantity: column(items, 'quantity'),
    ...values('sku', 'name', 'unitPrice', 'weight', 'weightUnit', 'imageUrl'),
    refundedQuantity: named('refundedQuantity'),
    refundedAmount: named('refundedAmount'),
    options: pairs,
  }
  const columnNames = Object.keys(columns)
  return {
    read: (values: Values): Row => {
      const line = namedValues(columnNames, values)
      const pairs = (line.options ?? []) as Values[]
      line.options = pairs.map(([name, value]) => ({ name, value }))
      return line
    },
    select: json.list(
      json.array(Object.values(columns)),
      sql`${items} where ${column(items, '_parentID')} = ${column(orders, 'id')}`,
      column(items, '_order'),
    ),
  }
}

/** The extension keeps an email for guests only; a customer's email is in the account. */
export function customerEmail(shop: ShopWithAccounts): SQL {
  const { collections, fields } = shop.options
  const own = columnOrNull(shop.database.table(collections.orders), fields.customerEmail)
  return sql`coalesce(nullif(${own}, ''), ${accountEmail(shop)})`
}

type ShopWithAccounts = Pick<Shop, 'database' | 'customersSlug'> & { options: ShopNames }

export function accountEmail(
  { database, customersSlug, options: { collections, fields } }: ShopWithAccounts,
  isMeant: (customers: PayloadTable) => SQL = () => sql`true`,
): SQL {
  const customer = optionalColumn(database.table(collections.orders), fields.customer)
  const customers = customersSlug === undefined ? undefined : database.optionalTable(customersSlug)
  const email = customers && optionalColumn(customers, 'email')
  if (!customers || !customer || !email) return sql`null`
  return sql`(select ${email} from ${customers}
    where ${column(customers, 'id')} = ${customer} and ${isMeant(customers)})`
}

function paymentMethod(shop: Shop): SQL | Column {
  const { database, options } = shop
  const { collections, fields } = options
  const one = storedValue(shop, collections.orders, `${fields.transactions}.paymentMethod`)
  const orders = database.table(collections.orders)
  const relations = database.optionalTable(collections.orders, 'rels')
  const transactions = database.optionalTable(collections.transactions)
  const method = transactions && optionalColumn(transactions, 'paymentMethod')
  const related = relations && optionalColumn(relations, `${collections.transactions}ID`)
  if (!relations || !transactions || !method || !related) return one
  return sql`coalesce((select ${method} from ${relations}
    join ${transactions} on ${column(transactions, 'id')} = ${related}
    where ${column(relations, 'parent')} = ${column(orders, 'id')}
      and ${column(relations, 'path')} = ${fields.transactions} and ${method} is not null
    order by ${column(relations, 'order')} limit 1), ${one})`
}

/** A value of the order's site: of the first of these fields that sites have. */
export function valueOfSite(shop: Shop, ...names: string[]): SQL {
  const { database, options } = shop
  const sites = database.optionalTable(options.collections.sites)
  const [value] = sites ? names.flatMap((name) => optionalColumn(sites, name) ?? []) : []
  if (!sites || !value) return sql`null`
  return sql`(select ${value} from ${sites} where ${column(sites, 'id')} = ${namedValue(shop, 'site')})`
}
