import type { BasePayload, Field } from 'payload'
import type { ShipmentLog } from '../shipment-log.js'
import { keepsBlocksAsJson } from './database-refusal.js'
import { findField } from './field-search.js'

type Handles = Parameters<ShipmentLog['locateEntry']>[0]

/** Finds the tracking field that the settings' handles name among the orders' fields. */
export function locateTracking(
  payload: BasePayload,
  ordersSlug: string,
  handles: Handles,
): ReturnType<ShipmentLog['locateEntry']> {
  const { matrixField, entryType } = handles
  const orderFields = payload.collections[ordersSlug]?.config.fields ?? []
  const field = findField(orderFields, matrixField)
  if (field?.type !== 'array' && field?.type !== 'blocks') {
    return { missing: `The orders have no array or blocks field "${matrixField}".` }
  }
  if (field.type === 'array') return locateWithin(field.fields, { ...handles, block: undefined })

  if (keepsBlocksAsJson(payload)) {
    return {
      missing: `No parcel can be written to "${matrixField}": it holds blocks, which the database adapter's blocksAsJSON keeps out of reach. Name an array field as the Matrix field, or switch blocksAsJSON off.`,
    }
  }
  if (entryType === '') return { blank: 'entryType' }
  const block = field.blocks.find(({ slug }) => slug === entryType)
  if (block === undefined) {
    return { missing: `The field "${matrixField}" has no block "${entryType}".` }
  }
  return locateWithin(block.fields, { ...handles, block: block.slug })
}

function locateWithin(
  entryFields: readonly Field[],
  handles: Handles & { block: string | undefined },
): ReturnType<ShipmentLog['locateEntry']> {
  const place = {
    field: handles.matrixField,
    block: handles.block,
    carrier: handles.carrierField,
    service: handles.serviceField,
    trackingNumber: handles.trackingNumberField,
  }
  const unknown = [place.carrier, place.service, place.trackingNumber].find(
    (name) => findField(entryFields, name) === undefined,
  )
  return unknown === undefined
    ? { place }
    : { missing: `The entries of "${place.field}" have no field "${unknown}".` }
}
