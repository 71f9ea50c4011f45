import type { BasePayload, Field } from 'payload'
import { ownBlock, columnPlace, findField } from '../../core/payload/field-search.js'
import { keepsBlocksAsJson, column, optionalColumn } from '../../core/database/database.js'
import { fieldsOfOrders } from '../../shop/orders/order-fields.js'
import type { Shop } from '../../core/shop.js'
import type { ShippingSettings } from '../shipping-settings.js'
import { sql, type Column, type SQL } from 'drizzle-orm'

export function trackingTable({ database, options, payload }: Shop, place: TrackingPlace) {
  const { field, block, locale } = place
  const slug = options.collections.orders
  const fields = payload.collections[slug]?.config.flattenedFields ?? []
  const rows = columnPlace(fields, block === undefined ? field : `${field}.${block}`)
  const table = database.table(slug, ...(rows?.below ?? []))
  const path = block === undefined ? undefined : optionalColumn(table, '_path')
  /** What tells the field's rows from those of other blocks fields and of other languages. */
  const marks: (readonly [Column, string])[] = [
    ...(path ? [[path, field] as const] : []),
    ...(locale === undefined ? [] : [[column(table, '_locale'), locale] as const]),
  ]
  return {
    table,
    marks,
    isEntryOf: (orderId: SQL): SQL =>
      sql.join(
        [
          sql`${column(table, '_parentID')} = ${orderId}`,
          ...marks.map(([of, value]) => sql`${of} = ${value}`),
        ],
        sql` and `,
      ),
  }
}

/** Where the tracking entry is kept: an array field, or a block of a blocks field. */
export interface TrackingPlace {
  field: string
  block: string | undefined
  /** The language of the entry when the field has one list for each: the store's first. */
  locale: string | undefined
  carrier: string
  service: string
  trackingNumber: string
}

type Entry = Record<string, unknown>

/** Leaves one tracking entry: the first is overwritten, further ones go, blocks of other types stay. */
export function withEntry(
  rows: unknown,
  place: TrackingPlace,
  { id, carrier, service, trackingNumber }: Tracked,
): Entry[] {
  const existing = (Array.isArray(rows) ? rows : []) as Entry[]
  const isEntry = (row: Entry) => place.block === undefined || row.blockType === place.block
  const entry: Entry = {
    id,
    ...existing.find(isEntry),
    ...(place.block !== undefined && { blockType: place.block }),
    [place.carrier]: carrier,
    [place.service]: service,
    [place.trackingNumber]: trackingNumber,
  }
  return [...existing.filter((row) => !isEntry(row)), entry]
}

interface Tracked {
  /** Of the entry, if it is new. */
  id: string
  carrier: string
  service: string
  trackingNumber: string
}

/** The place, or why there is none: a name that does not exist, or a setting that is blank. */
type LocatedEntry = { place: TrackingPlace } | { missing: string } | { blank: string }

/** Finds the tracking field that the settings name among the orders' fields. */
export function locateTracking(
  { payload, options }: Shop,
  settings: ShippingSettings,
): LocatedEntry {
  const { matrixField, entryType, carrierField, serviceField, trackingNumberField } = settings
  const names = { matrixField, carrierField, serviceField, trackingNumberField }
  const blank = Object.entries(names).find(([, name]) => name === '')?.[0]
  if (blank !== undefined) return { blank }
  const field = findField(fieldsOfOrders(payload, options), matrixField)
  if (field?.type !== 'array' && field?.type !== 'blocks') {
    return { missing: `The orders have no array or blocks field "${matrixField}".` }
  }
  const entry = { field: matrixField, locale: localeOf(field, payload) }
  if (field.type === 'array') {
    return locateWithin(field.fields, settings, { ...entry, block: undefined })
  }

  if (keepsBlocksAsJson(payload)) {
    return {
      missing: `No parcel can be written to "${matrixField}": it holds blocks, which the database adapter's blocksAsJSON keeps out of reach. Name an array field as the Matrix field, or switch blocksAsJSON off.`,
    }
  }
  if (entryType === '') return { blank: 'entryType' }
  const block = ownBlock(field, entryType)
  if (block === undefined) {
    return { missing: `The field "${matrixField}" has no block "${entryType}".` }
  }
  return locateWithin(block.fields, settings, { ...entry, block: block.slug })
}

function localeOf(
  { localized }: { localized?: boolean },
  payload: BasePayload,
): string | undefined {
  const { localization } = payload.config
  return localized && localization ? localization.defaultLocale : undefined
}

function locateWithin(
  entryFields: readonly Field[],
  settings: ShippingSettings,
  entry: Pick<TrackingPlace, 'field' | 'block' | 'locale'>,
): LocatedEntry {
  const place = {
    ...entry,
    carrier: settings.carrierField,
    service: settings.serviceField,
    trackingNumber: settings.trackingNumberField,
  }
  const unknown = [place.carrier, place.service, place.trackingNumber].find(
    (name) => findField(entryFields, name) === undefined,
  )
  return unknown === undefined
    ? { place }
    : { missing: `The entries of "${place.field}" have no field "${unknown}".` }
}
