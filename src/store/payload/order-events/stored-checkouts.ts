import { sql } from 'drizzle-orm'
import type { DocumentId } from '../../../commerce/order.js'
import type { Person } from '../../../shop-events/happening.js'
import type { ResolvedOptions } from '../../../options/resolve-options.js'
import type { Position } from '../../past-changes.js'
import { column, optionalColumn, type Connection, type Database, type Row } from '../database.js'
import { checkoutStateField } from '../order-fields.js'
import { accountEmail } from './account-email.js'
import { nextPosition, rowsBehind } from '../../../shop-events/position.js'

/** A payment that was begun, with all that tells of it. */
export interface StoredCheckout {
  id: DocumentId
  cartId: DocumentId
  /** What the cart held, in short. */
  state: string
  /** Undefined when nobody is known to have begun it. */
  person: Person | undefined
  at: Date
}

/**
 * Reads transactions as Started Checkout needs them.
 *
 * @throws {TypeError} when the transactions have no cart.
 */
export function createStoredCheckouts({
  database,
  options: { collections },
  customersSlug,
}: {
  database: Database
  options: Pick<ResolvedOptions, 'collections'>
  customersSlug: string | undefined
}) {
  const transactions = database.table(collections.transactions)
  const customers = customersSlug === undefined ? undefined : database.optionalTable(customersSlug)
  const optional = (path: string) => optionalColumn(transactions, path) ?? sql`null`
  const id = column(transactions, 'id')
  const createdAt = column(transactions, 'createdAt')
  const state = column(transactions, checkoutStateField)
  const customer = optional('customer')
  const selected = sql`select ${id} as "id", ${createdAt} as "at", ${state} as "state",
      ${column(transactions, 'cart')} as "cart", ${customer} as "customer",
      ${optional('customerEmail')} as "email",
      ${optional('billingAddress.firstName')} as "firstName",
      ${optional('billingAddress.lastName')} as "lastName",
      ${optional('billingAddress.phone')} as "phone",
      ${accountEmail(customers, sql`${customer}`)} as "accountEmail"
    from ${transactions}`
  const isTold = sql`${state} is not null and ${column(transactions, 'cart')} is not null`

  return {
    /** Undefined for one that nothing is told of. */
    async read(
      checkoutId: DocumentId,
      connection: Pick<Connection, 'rows'>,
    ): Promise<StoredCheckout | undefined> {
      const [row] = await connection.rows(
        sql`${selected} where ${id} = ${checkoutId} and ${isTold}`,
      )
      return row && readCheckout(row)
    },

    /** Those that were begun behind a position, and where the next page begins. */
    async begunBehind(
      from: Position,
      { until, limit }: { until: Date; limit: number },
    ): Promise<{ checkouts: StoredCheckout[]; next: Position | undefined }> {
      const { condition, order } = rowsBehind({ at: createdAt, id }, { from, until, limit })
      const rows = await database.rows(sql`${selected} where ${condition} and ${isTold} ${order}`)
      return { checkouts: rows.map(readCheckout), next: nextPosition(rows, limit) }
    },
  }
}

export type StoredCheckouts = ReturnType<typeof createStoredCheckouts>

function readCheckout(row: Row): StoredCheckout {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const email = text(row.email) || text(row.accountEmail)
  const isAccount = row.accountEmail !== null && email === row.accountEmail
  return {
    id: row.id as DocumentId,
    cartId: row.cart as DocumentId,
    state: text(row.state),
    person:
      email === ''
        ? undefined
        : {
            email,
            ...(isAccount && { customerId: row.customer as DocumentId }),
            firstName: text(row.firstName),
            lastName: text(row.lastName),
            phone: text(row.phone),
          },
    at: new Date(String(row.at)),
  }
}
