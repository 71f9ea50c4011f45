import { sql } from 'drizzle-orm'
import type { CollectionAfterChangeHook, CollectionBeforeDeleteHook, PayloadRequest } from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import type { Omission, OmissionRecord } from '../omission-record.js'
import { column, type Database } from './database.js'
import { omissionsSlug } from './omission-collection.js'

/** Keeps the list of orders left out that the merchant sees in the admin. */
export function createOmissionRecord(database: Database): OmissionRecord {
  const table = database.table(omissionsSlug)
  const order = column(table, 'order')
  const reasons = column(table, 'reasons')

  const readNotes = async (ids: readonly DocumentId[]) => {
    const rows = await database.rows(
      sql`select ${order} as "order", ${reasons} as "reasons" from ${table} where ${database.isOneOf(order, ids)}`,
    )
    return new Map(rows.map((row) => [row.order as DocumentId, String(row.reasons)]))
  }

  const note = async ({ orderId, reference, reasons }: Omission, noted: string | undefined) => {
    const text = reasons.join('\n')
    if (noted === text) return
    const now = new Date().toISOString()
    const values = { reference, reasons: text, updatedAt: now }
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
