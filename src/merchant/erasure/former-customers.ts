import { sql, type SQL } from 'drizzle-orm'
import type { CollectionConfig, PayloadRequest } from 'payload'
import {
  column,
  columnOrNull,
  optionalColumn,
  type PayloadTable,
} from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { documentTables } from '../../core/database/document-tables.js'
import { runTogether } from '../../core/database/in-transaction.js'
import { verifiedEmailField } from '../../carts/accounts/verified-email.js'
import { readEmail } from '../../core/people/email.js'
import { hashOf } from '../../core/signing.js'
import { formerCustomerField, ownNote } from '../../shop/orders/order-fields.js'
import type { ShopNames } from '../../core/shop-names.js'
import { addFields } from '../../core/payload/field-search.js'
import type { Shop } from '../../core/shop.js'

/** The shop's collections whose documents have a customer, each with the path of that field. */
export const customerPaths = ({ collections, fields }: ShopNames) => ({
  [collections.orders]: fields.customer,
  [collections.carts]: fields.customer,
  [collections.transactions]: 'customer',
  [collections.addresses]: 'customer',
})

/** Adds the note of whose a document was: the relation is empty once the account is deleted. */
export const withFormerCustomer = (documents: CollectionConfig): CollectionConfig => ({
  ...documents,
  fields: addFields(documents.fields, [{ ...ownNote, name: formerCustomerField, type: 'text' }]),
})

/** Whether a document without a customer was that of an account with one of these emails. */
export const wasCustomers = (table: PayloadTable, emails: readonly string[]): SQL =>
  sql.join(
    [
      sql`false`,
      ...emails.map(
        (email) => sql`${columnOrNull(table, formerCustomerField)} like ${`%${digestOf(email)}%`}`,
      ),
    ],
    sql` or `,
  )

// The store's secret is not part of it: a store that changes its secret would find nothing any more.
const digestOf = (email: string) => hashOf(['former customer', email.toLowerCase()])

/** What the documents of a deleted account with these emails note. */
export const formerCustomerNote = (emails: readonly string[]): string =>
  [...new Set(emails.map(digestOf))].join(' ')

/**
 * Notes in the documents of an account that is about to be deleted whose they are, by digests of its emails. Nothing
 * else ties them to the person afterwards.
 */
export async function noteFormerCustomer(
  { payload, database, options, customersSlug = '' }: Shop,
  accountId: DocumentId,
  req: PayloadRequest,
): Promise<void> {
  const accounts = database.table(customersSlug)
  const connection = await database.within(req)
  const [account] = await connection.rows(sql`select ${columnOrNull(accounts, 'email')} as "email",
      ${columnOrNull(accounts, verifiedEmailField)} as "verified"
    from ${accounts} where ${column(accounts, 'id')} = ${accountId}`)
  const emails = [account?.email, account?.verified].flatMap(
    (email) => readEmail(String(email ?? '')) ?? [],
  )
  const digests = formerCustomerNote(emails)
  const paths: Readonly<Record<string, string>> = customerPaths(options)
  await runTogether(database, req, ({ update }) =>
    Object.keys(payload.collections).flatMap((slug) =>
      documentTables(database, slug).flatMap(({ table, prefix }) => {
        const customer = optionalColumn(table, `${prefix}${paths[slug] ?? 'customer'}`)
        const note = `${prefix}${formerCustomerField}`
        return table[note] && customer
          ? [update(table, { [note]: digests }, sql`${customer} = ${accountId}`)]
          : []
      }),
    ),
  )
}
