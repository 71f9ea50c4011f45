import { sql, type SQL } from 'drizzle-orm'
import { enforceMaxVersions, type JsonObject, type PayloadRequest } from 'payload'
import { getVersionsMax } from 'payload/shared'
import { column } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Effects } from '../../core/effects.js'
import { statusChangesField } from '../../shop/orders/order-fields.js'
import { savingSinceField } from '../../shop/orders/save-mark.js'
import { withShipment } from '../../shop/orders/status-history.js'
import { setAt, valueAt } from '../../core/payload/document-value.js'
import { statusesOf } from '../../core/payload/statuses-of.js'
import type { Shop } from '../../core/shop.js'
import type { NoticeEffect, Shipment } from './notice-collection.js'
import { withEntry } from './tracking-place.js'

export interface Change extends Pick<Shipment, 'entryPlace' | 'notice'> {
  status: NoticeEffect['status']
  at: string
  entryId: string
}

export const newChange = ({ now, randomBytes }: Effects): Pick<Change, 'at' | 'entryId'> => ({
  at: now().toISOString(),
  entryId: Buffer.from(randomBytes(12)).toString('hex'),
})

type Document = Record<string, unknown>

const hasVersions = ({ payload, options: { collections } }: Shop): boolean =>
  Boolean(payload.collections[collections.orders]?.config.versions)

/**
 * The new versions of an order that say what a notice changes, and after that of a draft that waits to be published.
 */
export async function shippedVersions(
  shop: Shop,
  { id, change }: { id: DocumentId; change: Change },
  req: PayloadRequest,
) {
  const { payload, options } = shop
  const collection = options.collections.orders
  if (!hasVersions(shop)) return []
  const [stored, newest] = await Promise.all([
    payload.db.findOne<JsonObject & { id: DocumentId }>({
      collection,
      where: { id: { equals: id } },
      req,
    }),
    payload.db.findVersions<Document>({
      collection,
      where: { parent: { equals: id } },
      sort: '-updatedAt',
      limit: 1,
      pagination: false,
      req,
    }),
  ])
  if (stored === null) return []
  const order = changed(shop, stored, change)
  const [last] = newest.docs
  const waiting =
    last && statusesOf(last.version).includes('draft')
      ? changed(shop, last.version, change)
      : undefined
  const draft = waiting && { ...waiting, [statusChangesField]: order[statusChangesField] }
  // An order that is a draft itself is its newest version.
  const isOnlyDraft = statusesOf(stored).every((status) => status === 'draft')
  const documents = draft && isOnlyDraft ? [draft] : [order, ...(draft ? [draft] : [])]

  // The newest version is the one with the latest time.
  const begin = Math.max(Date.parse(change.at), Date.parse(last?.updatedAt ?? change.at) + 1)
  return documents.map((document, index) => {
    const at = new Date(begin + index).toISOString()
    return {
      collectionSlug: collection,
      parent: id,
      versionData: { ...document, updatedAt: change.at, [savingSinceField]: null },
      autosave: false,
      createdAt: at,
      updatedAt: at,
      returning: false,
      req,
    }
  })
}

/** The document with what a notice changes. It is as the database has it, with the values of all languages. */
function changed(
  { options: { fields } }: Shop,
  document: Document,
  { status, at, entryPlace, entryId, notice }: Change,
): Document {
  const copy = structuredClone(document)
  if (status !== undefined && status !== valueAt(copy, fields.status)) {
    copy[statusChangesField] = withShipment(copy[statusChangesField], { status, at })
    setAt(copy, fields.status, status)
  }
  if (entryPlace) {
    const { field, locale } = entryPlace
    const path = locale === undefined ? field : `${field}.${locale}`
    setAt(copy, path, withEntry(valueAt(copy, path), entryPlace, { id: entryId, ...notice }))
  }
  return copy
}

/** Deletes the oldest versions where there are more than the store wants. */
export async function deleteOldVersions(
  { payload, options }: Shop,
  id: DocumentId,
  req: PayloadRequest,
): Promise<void> {
  const collection = payload.collections[options.collections.orders]?.config
  const max = collection === undefined ? 0 : getVersionsMax(collection)
  if (collection && max > 0) await enforceMaxVersions({ id, collection, max, payload, req })
}

/** The condition that neither the order nor its versions were changed after this call. */
export async function isUnchanged(shop: Shop, id: DocumentId): Promise<SQL> {
  if (!hasVersions(shop)) return sql`true`
  const { database, options } = shop
  const { orders: slug } = options.collections
  const [orders, versions] = [database.table(slug), database.table(`_${slug}_v`)]
  const state = sql`(select ${column(orders, 'updatedAt')} || '/' || (select
      count(*) || '/' || coalesce(max(${column(versions, 'updatedAt')}), '') from ${versions}
      where ${column(versions, 'parent')} = ${id})
    from ${orders} where ${column(orders, 'id')} = ${id})`
  const [row] = await database.rows(sql`select ${state} as "state"`)
  return sql`${state} is ${row?.state}`
}
