import { sql, type SQL } from 'drizzle-orm'
import { columnOrNull, type Connection, type PayloadTable } from '../../core/database/database.js'
import { giverFields } from '../../shop/orders/order-fields.js'
import type { ConsentParts } from '../../marketing/consent/parts.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import type { PersonKeys } from '../../core/people/person-keys.js'
import { profileKey } from '../../core/people/profile-key.js'
import { exchangeIdField, sharedAtField } from '../../shop/orders/order-fields.js'
import type { Shop } from '../../core/shop.js'
import type { PersonTraces } from './erasure-table.js'
import { wasCustomers } from './former-customers.js'

/** What the shop holds of a person, and when sends about them last left for Klaviyo. */
export interface Found {
  traces: PersonTraces
  isSending: boolean
  lastSentAt: Date | undefined
}

/**
 * Finds what the shop holds of a person: by the account's id, and by the emails that are surely the person's
 * for what was bought as a guest, or with an account that is deleted. It changes nothing.
 */
export function createFindTraces(
  { database, options }: Shop,
  {
    outbox,
    keptProofs: proofs,
  }: Partial<Pick<DeliveryParts & ConsentParts, 'outbox' | 'keptProofs'>>,
) {
  const { collections, fields } = options
  const [orders, carts, payments, addresses] = (
    ['orders', 'carts', 'transactions', 'addresses'] as const
  ).map((name) => database.optionalTable(collections[name]))

  return async (connection: Connection, keys: PersonKeys): Promise<Found> => {
    const { customerId } = keys
    const emails = keys.profiles.flatMap((key) => /^email:(.*)$/s.exec(key)?.[1] ?? [])
    const idsWhere = async (
      table: PayloadTable | undefined,
      condition: (of: PayloadTable) => SQL,
      name = 'id',
    ) => {
      if (table === undefined) return []
      const rows = await connection.rows(
        sql`select ${columnOrNull(table, name)} as "id" from ${table} where ${condition(table)}`,
      )
      return rows.flatMap((row) => (row.id as DocumentId | null) ?? [])
    }
    const isCustomers = (table: PayloadTable, path: string) =>
      customerId === undefined ? sql`false` : sql`${columnOrNull(table, path)} = ${customerId}`
    // What another account bought belongs to that account, even if it names this person.
    const isTheirs =
      (customer: string, ...typed: string[]) =>
      (table: PayloadTable) => {
        const names = typed.map((path) =>
          database.isOneOf(sql`lower(${columnOrNull(table, path)})`, emails),
        )
        return sql`(${isCustomers(table, customer)} or (${columnOrNull(table, customer)} is null
          and (${sql.join([...names, wasCustomers(table, emails)], sql` or `)})))`
      }

    const exchangeKeys = async (ids: readonly DocumentId[]) => {
      if (carts === undefined) return []
      const rows = await connection.rows(
        sql`select ${columnOrNull(carts, exchangeIdField)} as "exchangeId" from ${carts}
          where ${database.isOneOf(columnOrNull(carts, 'id'), ids)}`,
      )
      return rows.flatMap(({ exchangeId }) =>
        typeof exchangeId === 'string' ? [profileKey({ exchangeId })] : [],
      )
    }

    const paid = await idsWhere(payments, isTheirs('customer', 'customerEmail'))
    const sent = (await outbox?.traces(connection, keys)) ?? nothingSent
    const isOwnOrder = isTheirs(fields.customer, fields.customerEmail, giverFields.email)
    const isOwnCart = isTheirs(fields.customer, giverFields.email)
    const isPaid = (table: PayloadTable) =>
      payments === undefined
        ? sql`false`
        : sql`${columnOrNull(table, 'id')} in (select ${columnOrNull(payments, 'cart')}
            from ${payments} where ${database.isOneOf(columnOrNull(payments, 'id'), paid)})`
    const ownCarts = await idsWhere(
      carts,
      (table) => sql`(${isOwnCart(table)}
        or (${columnOrNull(table, fields.customer)} is null and ${isPaid(table)}))`,
    )
    return {
      traces: {
        ...keys,
        profiles: [...new Set([...keys.profiles, ...(await exchangeKeys(ownCarts))])],
        toDelete: emails.map((email) => profileKey({ email })),
        emails,
        orders: await idsWhere(orders, isOwnOrder),
        carts: ownCarts,
        // An account took over what the person typed, before that was left behind.
        othersCarts: await idsWhere(
          carts,
          (table) => sql`${columnOrNull(table, fields.customer)} is not null
            and not (${isCustomers(table, fields.customer)})
            and ${columnOrNull(table, sharedAtField)} is null and ${isPaid(table)}`,
        ),
        payments: paid,
        addresses: await idsWhere(addresses, isTheirs('customer')),
        // The store's own code may delete orders during the erasure, and their proofs are kept by number.
        proofs: [
          ...(await idsWhere(proofs, isTheirs('customer', 'email'))),
          ...(await idsWhere(orders, isOwnOrder, fields.number)),
        ],
        sends: sent.count,
      },
      isSending: sent.isSending,
      lastSentAt: sent.lastSentAt,
    }
  }
}

const nothingSent = { count: 0, isSending: false, lastSentAt: undefined }
