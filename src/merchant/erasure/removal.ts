import { sql } from 'drizzle-orm'
import {
  columnOrNull,
  optionalColumn,
  type Connection,
  type Row,
  type Statement,
} from '../../core/database/database.js'
import { documentTables } from '../../core/database/document-tables.js'
import {
  consentField,
  giverFields,
  hasConsentField,
  cartNotes,
  exchangeIdField,
  formerCustomerField,
  paidLinesField,
  personErasedField,
  sentStateField,
  statusChangesField,
  checkoutStateField,
} from '../../shop/orders/order-fields.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Outbox } from '../../marketing/delivery/outbox.js'
import { savingSinceField } from '../../shop/orders/save-mark.js'
import { withoutRows } from '../../core/payload/field-route.js'
import { fieldPaths, findField } from '../../core/payload/field-search.js'
import type { ErasureOptions } from './erasure-options.js'
import { addressGroups, blankValues, placesOf, uniqueFields, emptied } from './written-columns.js'
import type { Contributions } from '../../core/feature.js'
import type { Shop } from '../../core/shop.js'
import { erasureTable, deletionKeys, type Erasure, type PersonTraces } from './erasure-table.js'

export type Recorded = Erasure & { person: PersonTraces }

interface Emptying {
  slug: string
  ids: readonly DocumentId[]
  /** What else is emptied, such as the relation with the customer. Without any, what is typed stays too. */
  paths: string[]
  kept: readonly string[]
  more?: Row
}

/** The fields that say what was bought, and the summary of the amounts. */
const lines = (items: string) => [
  ...['name', 'sku', 'weightUnit', 'imageUrl', 'slug', 'brand', 'categories', 'options'].map(
    (part) => `${items}.${part}`,
  ),
  'summary',
]

/** The deletions for Klaviyo: the key of each send and its message. */
const deletionsOf = (erasure: Recorded) =>
  deletionKeys(erasure).map((key, index) => {
    const [, kind, value = ''] =
      /^(email|phone):(.*)$/s.exec(erasure.person.toDelete[index] ?? '') ?? []
    const profile = kind === 'phone' ? { phoneNumber: value } : { email: value }
    return { key, message: { kind: 'erase', profile } as const }
  })

/**
 * Makes the statements that remove a person, all or nothing. They can run again: what is gone stays gone. The deletions
 * for Klaviyo are due at `dueAt`; `trackingPaths` are the parts of a shipment's tracking entry.
 *
 * @throws {TypeError} when the database lacks the collections.
 */
export function createRemoval(
  shop: Shop<{ erasure: ErasureOptions }>,
  { outbox, forgetPerson }: { outbox: Outbox | undefined } & Pick<Contributions, 'forgetPerson'>,
) {
  const { payload, database, options } = shop
  const { collections, fields } = options
  const { keepFields = [] } = options.erasure
  const records = erasureTable(shop)

  /** Empties what a person may have typed in documents, and in their versions, which may be restored. */
  function emptying(
    connection: Connection,
    { slug, ids, paths, kept, more = {} }: Emptying,
  ): Statement[] {
    const { fields: own = [], flattenedFields = [] } = payload.collections[slug]?.config ?? {}
    const named = paths.length === 0 ? [] : [...paths, ...addressGroups(own)]
    const stays = [...kept.map(withoutRows), ...uniqueFields(own), ...keepFields]
    return placesOf(database, { slug, fields: flattenedFields, ids, kept: stays }).flatMap(
      ({ table, prefix, isTheirs, written }) => {
        const further = Object.entries(more).map(
          ([name, value]) => [`${prefix}${name}`, value] as const,
        )
        const values = {
          ...(named.length > 0 && blankValues(table, written)),
          ...emptied(table, own, { paths: named, prefix }),
          ...Object.fromEntries(further.filter(([name]) => table[name] !== undefined)),
        }
        return Object.keys(values).length > 0 ? [connection.update(table, values, isTheirs)] : []
      },
    )
  }

  /** Deletes the texts of fields that hold several texts. */
  function emptyingLists(
    connection: Connection,
    { slug, ids, paths, kept }: Emptying,
  ): Statement[] {
    if (ids.length === 0 || paths.length === 0) return []
    const stays = [...kept, ...keepFields]
    return documentTables(database, slug).flatMap(({ table, slug: name, id, prefix }) => {
      const texts = database.optionalTable(name, 'texts')
      if (texts === undefined) return []
      const of = database.isOneOf(columnOrNull(table, id), ids)
      const isTheirs = sql`${columnOrNull(texts, 'parent')} in (select "id" from ${table} where ${of})`
      const staying = stays.map((path) => `${prefix.replace('_', '.')}${path}`)
      return [
        connection.delete(
          texts,
          sql`${isTheirs} and not ${database.isOneOf(columnOrNull(texts, 'path'), staying)}`,
        ),
      ]
    })
  }

  /**
   * Deletes what documents were before, which stay as they are. The newest version of one with drafts is what its next
   * save goes on from.
   */
  function deletingFormer(
    connection: Connection,
    slug: string,
    ids: readonly DocumentId[],
  ): Statement[] {
    const versions = database.optionalTable(`_${slug}_v`)
    if (versions === undefined || ids.length === 0) return []
    const newest = optionalColumn(versions, 'latest')
    const isTheirs = database.isOneOf(columnOrNull(versions, 'parent'), ids)
    return [
      connection.delete(versions, newest ? sql`${isTheirs} and ${newest} is not true` : isTheirs),
    ]
  }

  const emptyingAll = (connection: Connection, what: Emptying): Statement[] => [
    ...emptying(connection, what),
    ...emptyingLists(connection, what),
  ]

  /** The ids that payment methods give: texts such as `stripe.paymentIntentID`, in a method's own group. */
  const paymentIds = (slug: string): string[] => {
    const own = payload.collections[slug]?.config.fields ?? []
    const method = findField(own, 'paymentMethod')
    const methods = (method?.type === 'select' ? method.options : []).map((option) =>
      typeof option === 'string' ? option : option.value,
    )
    return fieldPaths(own).flatMap(({ path }) => {
      const [group = ''] = path.split('.')
      return methods.includes(group) && /(?:ID|Id|_id)$/.test(path) ? [path] : []
    })
  }

  return (
    connection: Connection,
    erasure: Recorded,
    { dueAt, trackingPaths }: { dueAt: Date; trackingPaths: readonly string[] },
  ): Statement[] => {
    const { person } = erasure
    const isAnonymised = erasure.orders === 'anonymise'
    const owner = [fields.customer, fields.shippingAddress, fields.billingAddress]
    const proofIn = (slug: string) =>
      hasConsentField(payload.collections[slug]?.config.fields ?? []) ? [consentField] : []
    const notes = [fields.customerNotes, fields.giftMessage, fields.internalNotes]
    const deletions = deletionsOf(erasure).map((deletion) => ({
      ...deletion,
      acceptedAt: erasure.createdAt,
    }))
    return [
      records.storing(connection, erasure),
      // The deletions come first: SQLite would give them the ids of the deleted sends.
      ...(outbox && deletions.length > 0 ? [outbox.storing(connection, deletions, dueAt)] : []),
      ...(outbox ? [outbox.forget(connection, person)] : []),
      ...emptyingAll(connection, {
        slug: collections.orders,
        ids: person.orders,
        kept: [
          ...lines(fields.items),
          ...trackingPaths,
          ...[fields.number, fields.reference, fields.status, fields.currency],
          ...[fields.discountCode, fields.shippingMethod, fields.tracking],
          ...[statusChangesField, savingSinceField],
        ],
        paths: isAnonymised
          ? [...owner, fields.customerEmail, ...notes, ...proofIn(collections.orders)]
          : [],
        more: {
          [personErasedField]: isAnonymised ? 'anonymised' : 'kept',
          // It goes from an order that is kept, too: nothing else on it says whose account it was.
          [giverFields.email]: null,
          [formerCustomerField]: null,
        },
      }),
      ...(isAnonymised
        ? []
        : [
            ...deletingFormer(connection, collections.orders, person.orders),
            ...deletingFormer(connection, collections.transactions, person.payments),
          ]),
      ...forgetPerson().flatMap((forget) => forget(connection, { ...person, isAnonymised })),
      // A cart is no part of the books. Without a number its link restores nothing, and no event is sent.
      ...emptyingAll(connection, {
        slug: collections.carts,
        ids: person.carts,
        kept: [...lines(fields.items), 'secret', fields.currency],
        paths: [
          ...[...owner, ...notes, fields.number, exchangeIdField, ...proofIn(collections.carts)],
          ...Object.values(giverFields),
        ],
        more: { [sentStateField]: null, [formerCustomerField]: null },
      }),
      ...emptyingAll(connection, {
        slug: collections.carts,
        ids: person.othersCarts,
        kept: [
          ...[...lines(fields.items), 'secret', fields.currency, fields.number, ...cartNotes],
          ...[consentField, ...Object.values(giverFields)],
        ],
        paths: [fields.shippingAddress, fields.billingAddress, ...notes],
      }),
      ...emptyingAll(connection, {
        slug: collections.transactions,
        ids: person.payments,
        kept: [
          ...[...lines('items'), 'currency', paidLinesField],
          ...paymentIds(collections.transactions),
        ],
        paths: isAnonymised
          ? ['customer', 'customerEmail', 'shippingAddress', 'billingAddress']
          : [],
        more: { [checkoutStateField]: null, [formerCustomerField]: null },
      }),
      // The versions go first: they lose the relation with the address.
      ...placesOf(database, {
        slug: collections.addresses,
        fields: [],
        ids: person.addresses,
        kept: [],
      })
        .toReversed()
        .map(({ table, isTheirs }) => connection.delete(table, isTheirs)),
      records.forgettingAskers(connection, person.emails),
      records.changing(connection, erasure.key, {
        state: 'erased',
        createdAt: erasure.createdAt.toISOString(),
      }),
    ]
  }
}
