import { sql, type Column, type SQL } from 'drizzle-orm'
import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId, Order } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import { createBareLines } from './bare-lines.js'
import { column, optionalColumn, type Database, type PayloadTable, type Row } from './database.js'
import { jsonDialect, positions, type JsonDialect } from './json-dialect.js'
import { addressParts, readOrder } from './order-values.js'

export interface OrderRowsParts {
  payload: BasePayload
  database: Database
  options: ResolvedOptions
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
}

/** Columns of an order's row, or below it, by the names that they get. */
export type FurtherColumns = Readonly<Record<string, SQL | Column>>

export interface OrderAndRow {
  order: Order
  /** The further columns. */
  row: Row
}

/** The columns behind others. */
export const further = (also: FurtherColumns): SQL =>
  sql.join(Object.entries(also).map(([name, value]) => sql`, ${value} as ${sql.identifier(name)}`))

/**
 * Reads whole orders, lines and options included, with one statement; lines of orders from before
 * Storeconnect take what they miss from the products. Each order comes back as one
 * JSON text: a page of 500 orders costs the driver 500 values instead of 30,000.
 */
export function createOrderRows({ payload, database, options, customersSlug }: OrderRowsParts) {
  const orders = database.table(options.collections.orders)
  const id = column(orders, 'id')
  const json = jsonDialect(database)

  const columns = {
    ...orderColumns(orders, options),
    email: customerEmail(database, options, customersSlug),
  }
  const lines = lineItems(database, options, json)
  const whole = database.fixed(
    sql`${json.array([
      ...Object.values(columns),
      paymentMethod(database, options),
      siteBaseUrl(database, options),
      lines.select,
    ])} as "order"`,
  )
  const at = positions([...Object.keys(columns), 'paymentMethod', 'siteBaseUrl', 'items'])
  const completeLines = createBareLines({ payload, options, at, lineAt: lines.at })

  /**
   * The orders of these ids, in their order. An id without an order is passed over. For a request
   * what it has written is seen.
   */
  async function readWith(
    ids: readonly DocumentId[],
    also: FurtherColumns,
    within?: PayloadRequest,
  ): Promise<OrderAndRow[]> {
    const connection = within ? await database.within(within) : database
    const rows = await connection.rows(sql`select ${whole()} ${further(also)} from ${orders}
      where ${database.isOneOf(id, ids)}`)
    const values = await completeLines(
      rows.map((row) => json.parse(row.order)),
      within,
    )
    const byId = new Map<DocumentId, OrderAndRow>()
    rows.forEach((row, index) => {
      const order = readOrder(values[index] ?? [], at, lines.at)
      byId.set(order.id, { order, row })
    })
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  return { readWith }
}

function orderColumns(orders: PayloadTable, { fields }: ResolvedOptions) {
  const required = (name: string) => column(orders, name)
  const optional = (name: string) => optionalColumn(orders, name) ?? sql`null`
  const address = (key: 'shippingAddress' | 'billingAddress') =>
    Object.fromEntries(
      Object.entries(addressParts).map(([part, name]) => [
        `${key}.${part}`,
        optional(`${fields[key]}.${name}`),
      ]),
    )
  return {
    id: required('id'),
    createdAt: required('createdAt'),
    updatedAt: required('updatedAt'),
    number: optional(fields.number),
    site: optional(fields.site),
    reference: required(fields.reference),
    status: required(fields.status),
    total: required(fields.amount),
    currency: optional(fields.currency),
    customer: optional(fields.customer),
    taxAmount: optional(fields.taxAmount),
    shippingAmount: optional(fields.shippingAmount),
    discountAmount: optional(fields.discountAmount),
    discountCode: optional(fields.discountCode),
    shippingMethod: optional(fields.shippingMethod),
    customerNotes: optional(fields.customerNotes),
    internalNotes: optional(fields.internalNotes),
    gift: optional(fields.gift),
    giftMessage: optional(fields.giftMessage),
    ...address('shippingAddress'),
    ...address('billingAddress'),
  }
}

function lineItems(
  database: Database,
  { collections, fields }: ResolvedOptions,
  json: JsonDialect,
) {
  const orders = database.table(collections.orders)
  const items = database.table(collections.orders, fields.items)
  const choices = database.optionalTable(collections.orders, fields.items, 'options')
  const optional = (name: string) => optionalColumn(items, name) ?? sql`null`
  const options =
    choices === undefined
      ? sql`null`
      : sql`(select ${json.list(
          json.array([column(choices, 'name'), column(choices, 'value')]),
          column(choices, '_order'),
        )} from ${choices} where ${column(choices, '_parentID')} = ${column(items, 'id')})`
  const columns = {
    id: column(items, 'id'),
    product: optional('product'),
    variant: optional('variant'),
    slug: optional('slug'),
    quantity: column(items, 'quantity'),
    sku: optional('sku'),
    name: optional('name'),
    unitPrice: optional('unitPrice'),
    weight: optional('weight'),
    weightUnit: optional('weightUnit'),
    imageUrl: optional('imageUrl'),
    options,
  }
  return {
    at: positions(Object.keys(columns)),
    select: sql`(select ${json.list(
      json.array(Object.values(columns)),
      column(items, '_order'),
    )} from ${items} where ${column(items, '_parentID')} = ${column(orders, 'id')})`,
  }
}

/** The extension keeps an email for guests only; a customer's is in the account. */
function customerEmail(
  database: Database,
  { collections, fields }: ResolvedOptions,
  customersSlug: string | undefined,
): SQL {
  const orders = database.table(collections.orders)
  const own = optionalColumn(orders, fields.customerEmail) ?? sql`null`
  const customer = optionalColumn(orders, fields.customer)
  const customers = customersSlug === undefined ? undefined : database.optionalTable(customersSlug)
  const email = customers && optionalColumn(customers, 'email')
  if (!customers || !customer || !email) return sql`${own}`
  return sql`coalesce(nullif(${own}, ''), (select ${email} from ${customers}
    where ${column(customers, 'id')} = ${customer}))`
}

/** The payment method of the order's first transaction that has one. */
function paymentMethod(database: Database, { collections, fields }: ResolvedOptions): SQL {
  const orders = database.table(collections.orders)
  const relations = database.optionalTable(collections.orders, 'rels')
  const transactions = database.optionalTable(collections.transactions)
  const method = transactions && optionalColumn(transactions, 'paymentMethod')
  const related = relations && optionalColumn(relations, `${collections.transactions}ID`)
  if (!relations || !transactions || !method || !related) return sql`null`
  return sql`(select ${method} from ${relations}
    join ${transactions} on ${column(transactions, 'id')} = ${related}
    where ${column(relations, 'parent')} = ${column(orders, 'id')}
      and ${column(relations, 'path')} = ${fields.transactions} and ${method} is not null
    order by ${column(relations, 'order')} limit 1)`
}

function siteBaseUrl(database: Database, { collections, fields }: ResolvedOptions): SQL {
  const sites = database.optionalTable(collections.sites)
  const site = optionalColumn(database.table(collections.orders), fields.site)
  const baseUrl = sites && optionalColumn(sites, 'baseUrl')
  if (!sites || !site || !baseUrl) return sql`null`
  return sql`(select ${baseUrl} from ${sites} where ${column(sites, 'id')} = ${site})`
}
