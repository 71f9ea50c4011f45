import { sql } from 'drizzle-orm'
import type { CollectionAfterChangeHook, CollectionBeforeDeleteHook, PayloadRequest } from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { Omission, OmissionRecord } from '../omission-record.js'
import { column, type Database } from './database.js'
import { omissionsSlug } from './omission-collection.js'

interface Note {
  reasons: string
  at: Date
}

/** Keeps the list of orders left out that the merchant sees in the admin. */
export function createOmissionRecord(
  database: Database,
  { collections }: Pick<ResolvedOptions, 'collections'>,
): OmissionRecord {
  const orders = database.table(collections.orders)
  const table = database.table(omissionsSlug)
  const updatedAt = column(table, 'updatedAt')
  const order = column(table, 'order')
  const reasons = column(table, 'reasons')

  const readNotes = async (ids: readonly DocumentId[]) => {
    const rows = await database.rows(
      sql`select ${order} as "order", ${reasons} as "reasons", ${updatedAt} as "at"
        from ${table} where ${database.isOneOf(order, ids)}`,
    )
    return new Map<DocumentId, Note>(
      rows.map((row) => [
        row.order as DocumentId,
        { reasons: String(row.reasons), at: new Date(String(row.at)) },
      ]),
    )
  }

  const note = async (omission: Omission, noted: Note | undefined) => {
    const { orderId, reference, reasons, isFailure, changedAt } = omission
    const text = reasons.join('\n')
    if (noted?.reasons === text && !(changedAt > noted.at)) return
    const now = new Date().toISOString()
    const values = { reference, reasons: text, isFailure, updatedAt: now }
    if (noted === undefined) {
      await database.insertIgnoring(table, { ...values, order: orderId, createdAt: now })
    } else {
      await database.update(table, values, sql`${order} = ${orderId}`)
    }
  }

  return {
    async update({ passed, omitted }) {
      const ids = [...passed, ...omitted.map(({ orderId }) => orderId)]
      if (ids.length === 0) return
      const notes = await readNotes(ids)
      const cleared = passed.filter((id) => notes.has(id))
      if (cleared.length > 0) await database.delete(table, database.isOneOf(order, cleared))
      for (const omission of omitted) await note(omission, notes.get(omission.orderId))
    },
    async changedSince(most) {
      // A cross join, as SQLite keeps its order: from the few notes to their orders.
      const rows = await database.rows(sql`select ${order} as "order"
        from ${table} cross join ${orders} where ${column(orders, 'id')} = ${order}
          and ${column(orders, 'updatedAt')} > ${updatedAt} limit ${most}`)
      return rows.map((row) => row.order as DocumentId)
    },
  }
}

const forget = (orderId: DocumentId, req: PayloadRequest) =>
  req.payload.delete({ collection: omissionsSlug, where: { order: { equals: orderId } }, req })

/** A deleted order is no longer one that was left out. Before, as the relation goes with the order. */
export const forgetOmission: CollectionBeforeDeleteHook = async ({ id, req }) => {
  await forget(id, req)
}

/** Nor is one in the trash. When it comes back, the next export tells. */
export const forgetTrashedOmission: CollectionAfterChangeHook<{
  id: DocumentId
  deletedAt?: string | null
}> = async ({ doc: { id, deletedAt }, req }) => {
  if (deletedAt) await forget(id, req)
}
