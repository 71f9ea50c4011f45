import { sql, type SQL } from 'drizzle-orm'
import type { BasePayload, PayloadRequest } from 'payload'
import {
  columnOrNull,
  type Connection,
  type Database,
  type PayloadTable,
  type Row,
  type Statement,
} from '../database/database.js'
import { consentField, hasConsentField } from '../consent/checkout-consent.js'
import type { DocumentId } from '../database/document-id.js'
import type { Outbox } from '../delivery/outbox.js'
import { historyTable } from '../history/history-table.js'
import { exchangeIdField, personErasedField, sentStateField } from '../orders/order-fields.js'
import type { ShopNames } from '../orders/shop-names.js'
import { skippedOrdersSlug } from '../shipping/export/skipped-orders.js'
import { checkoutStateField } from '../shop-events/cart-sources.js'
import { emptied } from './personal-columns.js'
import { erasureTable, jobKeys, type Erasure, type PersonTraces } from './erasure-table.js'

interface RemovalParts {
  payload: BasePayload
  database: Database
  names: ShopNames
  outbox: Pick<Outbox, 'forget' | 'storing'>
  now: () => Date
}

/** An erasure with the person that it is about. */
export type Recorded = Erasure & { person: PersonTraces }

/** A table with fields of documents, and which of its rows are theirs. */
interface Place {
  table: PayloadTable
  prefix: string
  isOne: SQL
}

/** A job for Klaviyo: the key of its send, and the identifier of the profile. */
const jobsOf = (erasure: Recorded) =>
  jobKeys(erasure).map((key, index) => {
    const [, kind, value = ''] =
      /^(email|phone):(.*)$/s.exec(erasure.person.toDelete[index] ?? '') ?? []
    const profile = kind === 'phone' ? { phoneNumber: value } : { email: value }
    return { key, message: { kind: 'erase', profile } as const }
  })

/**
 * Makes the statements that remove a person, all or nothing. They can run again: what is gone stays gone.
 *
 * @throws {TypeError} when the database lacks the collections.
 */
export function createRemoval({ payload, database, names, outbox, now }: RemovalParts) {
  const { collections, fields } = names
  const records = erasureTable(database)
  const runs = historyTable(database, now)
  const skipped = database.table(skippedOrdersSlug)

  /** Empties the fields of documents, in their versions too: one of them may be restored. */
  function emptying(
    connection: Connection,
    {
      slug,
      ids,
      paths,
      more = {},
    }: { slug: string; ids: readonly DocumentId[]; paths: string[]; more?: Row },
  ): Statement[] {
    const own = payload.collections[slug]?.config.fields ?? []
    return placesOf(slug, ids).flatMap(({ table, prefix, isOne }) => {
      const noted = Object.entries(more).map(
        ([name, value]) => [`${prefix}${name}`, value] as const,
      )
      const values = {
        ...emptied(table, own, { paths, prefix }),
        ...Object.fromEntries(noted.filter(([name]) => table[name] !== undefined)),
      }
      return Object.keys(values).length > 0 ? [connection.update(table, values, isOne)] : []
    })
  }

  /** The tables with the fields of documents: their own, that of their versions, and that of each's languages. */
  function placesOf(slug: string, ids: readonly DocumentId[]): Place[] {
    if (ids.length === 0) return []
    const named = [
      { name: slug, prefix: '', id: 'id' },
      { name: `_${slug}_v`, prefix: 'version_', id: 'parent' },
    ]
    return named.flatMap(({ name, prefix, id }) => {
      const table = database.optionalTable(name)
      if (table === undefined) return []
      const isOne = database.isOneOf(columnOrNull(table, id), ids)
      const languages = database.optionalTable(name, 'locales')
      const ofOne = sql`${columnOrNull(languages ?? table, '_parentID')} in
        (select ${columnOrNull(table, 'id')} from ${table} where ${isOne})`
      return [
        { table, prefix, isOne },
        ...(languages ? [{ table: languages, prefix, isOne: ofOne }] : []),
      ]
    })
  }

  return (connection: Connection, erasure: Recorded, dueAt: Date): Statement[] => {
    const { person } = erasure
    const isAnonymised = erasure.orders === 'anonymise'
    const owner = [fields.customer, fields.shippingAddress, fields.billingAddress]
    const proofIn = (slug: string) =>
      hasConsentField(payload.collections[slug]?.config.fields ?? []) ? [consentField] : []
    const notes = [fields.customerNotes, fields.giftMessage, fields.internalNotes]
    const jobs = jobsOf(erasure).map((job) => ({ ...job, acceptedAt: erasure.createdAt }))
    return [
      records.storing(connection, erasure),
      // The jobs come first: SQLite would give them the ids of the deleted sends.
      ...(jobs.length > 0 ? [outbox.storing(connection, jobs, dueAt)] : []),
      outbox.forget(connection, person),
      ...emptying(connection, {
        slug: collections.orders,
        ids: person.orders,
        paths: isAnonymised
          ? [...owner, fields.customerEmail, ...notes, ...proofIn(collections.orders)]
          : [],
        more: { [personErasedField]: isAnonymised ? 'anonymised' : 'kept' },
      }),
      ...(isAnonymised && person.orders.length > 0
        ? [
            connection.delete(
              skipped,
              database.isOneOf(columnOrNull(skipped, 'order'), person.orders),
            ),
          ]
        : []),
      // A cart is no part of the books. Without a number its link restores nothing, and no event is sent.
      ...emptying(connection, {
        slug: collections.carts,
        ids: person.carts,
        paths: [...owner, ...notes, fields.number, exchangeIdField, ...proofIn(collections.carts)],
        more: { [sentStateField]: null },
      }),
      ...emptying(connection, {
        slug: collections.transactions,
        ids: person.payments,
        paths: isAnonymised
          ? ['customer', 'customerEmail', 'shippingAddress', 'billingAddress']
          : [],
        more: { [checkoutStateField]: null },
      }),
      // The versions go first: they lose the relation with the address.
      ...placesOf(collections.addresses, person.addresses)
        .toReversed()
        .map(({ table, isOne }) => connection.delete(table, isOne)),
      connection.update(
        runs.table,
        { startedBy: null },
        database.isOneOf(sql`lower(${runs.at('startedBy')})`, person.emails),
      ),
      records.forgettingAskers(connection, person.emails),
      records.changing(connection, erasure.key, {
        state: 'erased',
        createdAt: erasure.createdAt.toISOString(),
      }),
    ]
  }
}

/** Runs statements in the transaction of the request, or else, on SQLite, as one. */
export async function runTogether(
  database: Database,
  req: PayloadRequest,
  make: (connection: Connection) => Statement[],
): Promise<void> {
  if (database.isSqlite && !(await database.isWithin(req))) {
    await database.batch(make(database))
    return
  }
  const connection = await database.within(req)
  for (const statement of make(connection)) await statement
}
