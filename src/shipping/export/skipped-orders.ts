import { sql, type SQL } from 'drizzle-orm'
import type {
  CollectionAfterChangeHook,
  CollectionBeforeReadHook,
  CollectionBeforeDeleteHook,
  PayloadRequest,
  CollectionConfig,
  TypeWithID,
} from 'payload'
import { alwaysReads } from '../../core/payload/always-reads.js'
import { notFilterable } from '../../core/payload/either-version.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Shop } from '../../core/shop.js'
import { column, type PayloadTable } from '../../core/database/database.js'
import { recordCollection, type IsAdmin } from '../../core/payload/admin-access.js'
import { label, labels, translatorOf } from '../../core/payload/label.js'
import { reportStored, type SkipReason } from './skip-reason.js'

export const skippedOrdersSlug = 'shipping-skipped-orders'

/** Skipped orders with the reasons: one record for each, deleted when the order passes. */
export const skippedOrderCollection = (ordersSlug: string, isAdmin: IsAdmin): CollectionConfig => ({
  slug: skippedOrdersSlug,
  labels: labels('skippedOrder', 'skippedOrders'),
  admin: {
    group: false,
    description: label('skippedOrdersDescription'),
    useAsTitle: 'reference',
    defaultColumns: ['reference', 'reasons', 'updatedAt', 'order'],
  },
  ...recordCollection(isAdmin),
  // Both fields are made of the stored reasons.
  hooks: { beforeOperation: [alwaysReads('reasons')], beforeRead: [withSentences] },
  fields: [
    { name: 'reference', type: 'text', label: label('reference') },
    // The column has codes, so that each reader gets the sentences in their own language.
    {
      name: 'reasons',
      type: 'textarea',
      label: label('reasons'),
      admin: notFilterable,
    },
    { name: 'codes', type: 'json', virtual: true, admin: { hidden: true } },
    // Off for an order that is not meant to be shipped, where the merchant has nothing to correct.
    {
      name: 'isFailure',
      type: 'checkbox',
      index: true,
      label: label('toComplete'),
      admin: { hidden: true },
    },
    {
      name: 'order',
      type: 'relationship',
      relationTo: ordersSlug,
      label: label('order'),
      unique: true,
    },
  ],
})

/** Puts sentences in the place of the stored codes, and the codes beside them. */
const withSentences: CollectionBeforeReadHook<TypeWithID & { reasons?: unknown }> = ({
  doc,
  req,
}) => {
  if (typeof doc.reasons !== 'string') return doc
  const reasons = reportStored(doc.reasons, translatorOf(req))
  return {
    ...doc,
    reasons: reasons.map(({ message }) => message).join('\n'),
    codes: reasons.flatMap(({ code, params }) => (code === undefined ? [] : [{ code, params }])),
  }
}

export interface SkippedOrder {
  orderId: DocumentId
  reference: string
  reasons: SkipReason[]
  /** False for an order that is not meant to be shipped: the merchant has nothing to correct. */
  isFailure: boolean
  changedAt: Date
}

export type SkippedOrders = ReturnType<typeof createSkippedOrders>

export function createSkippedOrders({ database, options, effects }: Shop) {
  const orders = database.table(options.collections.orders)
  const table = database.table(skippedOrdersSlug)
  const updatedAt = column(table, 'updatedAt')
  const order = column(table, 'order')
  const reasons = column(table, 'reasons')

  const readRecords = async (ids: readonly DocumentId[]) => {
    const rows = await database.rows(
      sql`select ${order} as "order", ${reasons} as "reasons", ${updatedAt} as "at"
        from ${table} where ${database.isOneOf(order, ids)}`,
    )
    return new Map(
      rows.map((row) => [
        row.order as DocumentId,
        { reasons: String(row.reasons), at: new Date(String(row.at)) },
      ]),
    )
  }

  const record = async (
    { orderId, reference, reasons, isFailure, changedAt }: SkippedOrder,
    existing: { reasons: string; at: Date } | undefined,
  ) => {
    const text = JSON.stringify(reasons)
    if (existing?.reasons === text && !(changedAt > existing.at)) return
    const now = effects.now().toISOString()
    const values = { reference, reasons: text, isFailure, updatedAt: now }
    if (existing === undefined) {
      await database.insertIgnoring(table, { ...values, order: orderId, createdAt: now })
    } else {
      await database.update(table, values, sql`${order} = ${orderId}`)
    }
  }

  return {
    /**
     * Records the skipped orders of a page and deletes the records of those that passed, where something has changed.
     */
    async update({
      passed,
      skipped,
    }: {
      passed: readonly { id: DocumentId }[]
      skipped: readonly SkippedOrder[]
    }): Promise<void> {
      const passedIds = passed.map(({ id }) => id)
      const ids = [...passedIds, ...skipped.map(({ orderId }) => orderId)]
      if (ids.length === 0) return
      const records = await readRecords(ids)
      const cleared = passedIds.filter((id) => records.has(id))
      if (cleared.length > 0) await database.delete(table, database.isOneOf(order, cleared))
      for (const one of skipped) await record(one, records.get(one.orderId))
    },

    /** The ids of at most `most` orders that were changed after they were recorded. */
    async changedSince(
      most: number,
      { failuresOnly }: { failuresOnly: boolean },
    ): Promise<DocumentId[]> {
      // SQLite keeps the order of a cross join, so it goes from the few records to their orders.
      const rows = await database.rows(sql`select ${order} as "order"
        from ${table} cross join ${orders} where ${column(orders, 'id')} = ${order}
          and ${column(orders, 'updatedAt')} > ${updatedAt}
          ${failuresOnly ? sql`and ${isFailureOf(table)}` : sql``} limit ${most}`)
      return rows.map((row) => row.order as DocumentId)
    },
  }
}

/** The condition for orders that the merchant has to correct, by the index. */
export const isFailureOf = (skippedOrders: PayloadTable): SQL =>
  sql`${column(skippedOrders, 'isFailure')} = true`

const forget = (orderId: DocumentId, req: PayloadRequest) =>
  req.payload.delete({ collection: skippedOrdersSlug, where: { order: { equals: orderId } }, req })

/** Runs before an order is deleted, because its record loses the relation with the order. */
export const forgetSkippedOrder: CollectionBeforeDeleteHook = async ({ id, req }) => {
  await forget(id, req)
}

/** If the order comes back from the trash, the next export records it again. */
export const forgetTrashedOrder: CollectionAfterChangeHook<{
  id: DocumentId
  deletedAt?: string | null
}> = async ({ doc: { id, deletedAt }, req }) => {
  if (deletedAt) await forget(id, req)
}
