import { sql, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../commerce/order.js'
import { hashOf } from '../marketing/send-key.js'
import type { Person } from './happening.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import type { Position } from '../store/past-changes.js'
import {
  column,
  optionalColumn,
  type Connection,
  type Database,
  type PayloadTable,
  type Row,
} from '../store/payload/database.js'
import { jsonDialect, type Values } from '../store/payload/json-dialect.js'
import { toldStateField } from '../store/payload/order-fields.js'
import { accountEmail } from '../store/payload/order-events/account-email.js'
import { nextPosition, rowsBehind } from './position.js'

/** A line of a cart as it is stored: what it costs is the product's to say. */
export interface StoredLine {
  id: string
  product: DocumentId | undefined
  variant: DocumentId | undefined
  quantity: number
}

/** A cart as it is stored, and who is known to have it. */
export interface StoredCart {
  id: DocumentId
  number: string
  siteId: DocumentId | undefined
  currency: string
  total: number
  lines: StoredLine[]
  updatedAt: Date
  isPurchased: boolean
  /** What was last told of it; undefined when nothing was. */
  toldState: string | undefined
  /** Undefined when nobody is known to have it. */
  person: Person | undefined
}

export interface StoredCartsParts {
  database: Database
  options: Pick<ResolvedOptions, 'collections' | 'fields'>
  customersSlug: string | undefined
}

/** What a cart holds, in short. A new name of a product is no change of the cart. */
export const stateOf = ({ lines, total, currency }: StoredCart): string =>
  hashOf([
    lines
      .map(({ product, variant, quantity }) => JSON.stringify([product, variant, quantity]))
      .sort(),
    total,
    currency,
  ])

/** What is told of a cart, and whose it is: who puts their email right is told of anew. */
export const toldStateOf = (cart: StoredCart): string =>
  hashOf([stateOf(cart), cart.person?.email.toLowerCase()])

/** Reads carts as their events need them. */
export function createStoredCarts({ database, options, customersSlug }: StoredCartsParts) {
  const { collections, fields } = options
  const carts = database.table(collections.carts)
  const id = column(carts, 'id')
  const optional = (name: string) => optionalColumn(carts, name) ?? sql`null`
  const json = jsonDialect(database)
  const people = personColumns(database, { options, customersSlug, carts })
  const selected = sql`select ${id} as "id", ${column(carts, 'updatedAt')} as "at",
      ${optional(fields.number)} as "number", ${optional(fields.site)} as "site",
      ${optional(fields.currency)} as "currency", ${optional('subtotal')} as "total",
      ${optional('purchasedAt')} as "purchasedAt", ${optional(toldStateField)} as "toldState",
      ${people.customer} as "customer", ${people.accountEmail} as "accountEmail",
      ${people.checkoutEmail} as "checkoutEmail", ${lineList(database, options)} as "lines"
    from ${carts}`
  const toCart = (row: Row): StoredCart => readCart(row, json.parse(row.lines))

  async function read(
    where: { id: DocumentId } | { number: string },
    connection: Pick<Connection, 'rows'> = database,
  ): Promise<StoredCart | undefined> {
    const isIt =
      'id' in where
        ? sql`${id} = ${where.id}`
        : sql`${column(carts, fields.number)} = ${where.number}`
    const [row] = await connection.rows(sql`${selected} where ${isIt} limit 1`)
    return row && toCart(row)
  }

  return {
    read,

    /** Open carts that changed last between the position and `until`, and where the next page begins. */
    async quiet(
      from: Position,
      { until, limit }: { until: Date; limit: number },
    ): Promise<{ carts: StoredCart[]; next: Position | undefined }> {
      const at = column(carts, 'updatedAt')
      const { condition, order } = rowsBehind({ at, id }, { from, until, limit })
      const rows = await database.rows(
        sql`${selected} where ${condition} and ${optional('purchasedAt')} is null ${order}`,
      )
      return { carts: rows.map(toCart), next: nextPosition(rows, limit) }
    },

    /** Keeps what was told of a cart. Nobody else sees a change: `updatedAt` stays. */
    toldStatement: (
      connection: Connection,
      { id: cartId, state }: { id: DocumentId; state: string },
    ) =>
      connection.run(sql`update ${carts}
        set ${sql.identifier(column(carts, toldStateField).name)} = ${state} where ${id} = ${cartId}`),

    /** Waits until nobody else writes the cart, and gives it as it is then. PostgreSQL only. */
    async locked(cartId: DocumentId, connection: Connection): Promise<StoredCart | undefined> {
      await connection.rows(sql`select ${id} from ${carts} where ${id} = ${cartId} for update`)
      return read({ id: cartId }, connection)
    },
  }
}

export type StoredCarts = ReturnType<typeof createStoredCarts>

function lineList(
  database: Database,
  { collections, fields }: Pick<ResolvedOptions, 'collections' | 'fields'>,
): SQL {
  const items = database.table(collections.carts, fields.items)
  const { array, list } = jsonDialect(database)
  const optional = (name: string) => optionalColumn(items, name) ?? sql`null`
  const values = [
    column(items, 'id'),
    optional('product'),
    optional('variant'),
    optional('quantity'),
  ]
  return sql`(select ${list(array(values), column(items, '_order'))} from ${items}
    where ${column(items, '_parentID')} = ${column(database.table(collections.carts), 'id')})`
}

/** The account's email, and the one that the newest checkout of the cart gave. */
function personColumns(
  database: Database,
  {
    options: { collections, fields },
    customersSlug,
    carts,
  }: Omit<StoredCartsParts, 'database'> & { carts: PayloadTable },
): { customer: SQL; accountEmail: SQL; checkoutEmail: SQL } {
  const customers = customersSlug === undefined ? undefined : database.optionalTable(customersSlug)
  const emailOf = (customer: SQL) => accountEmail(customers, customer)
  const customer = sql`${optionalColumn(carts, fields.customer) ?? sql`null`}`
  return {
    customer,
    accountEmail: emailOf(customer),
    checkoutEmail: checkoutEmail(database, { collections, carts, emailOf }),
  }
}

function checkoutEmail(
  database: Database,
  {
    collections,
    carts,
    emailOf,
  }: Pick<ResolvedOptions, 'collections'> & {
    carts: PayloadTable
    emailOf: (customer: SQL) => SQL
  },
): SQL {
  const transactions = database.optionalTable(collections.transactions)
  const cart = transactions && optionalColumn(transactions, 'cart')
  if (!transactions || !cart) return sql`null`
  const given = optionalColumn(transactions, 'customerEmail') ?? sql`null`
  const customer = optionalColumn(transactions, 'customer') ?? sql`null`
  const email = sql`coalesce(nullif(${given}, ''), ${emailOf(sql`${customer}`)})`
  return sql`(select ${email} from ${transactions}
    where ${cart} = ${column(carts, 'id')} and ${email} is not null
    order by ${column(transactions, 'createdAt')} desc, ${column(transactions, 'id')} desc limit 1)`
}

function readCart(row: Row, lines: Values): StoredCart {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const accountEmail = text(row.accountEmail)
  const email = accountEmail || text(row.checkoutEmail)
  const customerId = documentId(row.customer)
  const isAccount = accountEmail !== '' && customerId !== undefined
  return {
    id: row.id as DocumentId,
    number: text(row.number),
    siteId: documentId(row.site),
    currency: text(row.currency),
    total: Number(row.total ?? 0),
    lines: lines.map((line) => readLine(line as Values)),
    updatedAt: new Date(String(row.at)),
    isPurchased: row.purchasedAt !== null,
    toldState: text(row.toldState) || undefined,
    person: email === '' ? undefined : { email, ...(isAccount && { customerId }) },
  }
}

const readLine = ([id, product, variant, quantity]: Values): StoredLine => ({
  id: String(id),
  product: documentId(product),
  variant: documentId(variant),
  quantity: Number(quantity ?? 0),
})

const documentId = (value: unknown): DocumentId | undefined =>
  typeof value === 'number' || typeof value === 'string' ? value : undefined
