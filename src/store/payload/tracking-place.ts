import type { Field } from 'payload'
import type { ShipmentLog } from '../shipment-log.js'
import { findField } from './field-search.js'

/** Finds the tracking field that the settings' handles name among the orders' fields. */
export function locateTracking(
  orderFields: readonly Field[],
  handles: Parameters<ShipmentLog['locateEntry']>[0],
): ReturnType<ShipmentLog['locateEntry']> {
  const { matrixField, entryType } = handles
  const field = findField(orderFields, matrixField)
  if (field?.type !== 'array' && field?.type !== 'blocks') {
    return { missing: `The orders have no array or blocks field "${matrixField}".` }
  }
  if (field.type === 'blocks' && entryType === '') return { blank: 'entryType' }

  const block =
    field.type === 'blocks' ? field.blocks.find(({ slug }) => slug === entryType) : undefined
  const entryFields = field.type === 'array' ? field.fields : block?.fields
  if (entryFields === undefined) {
    return { missing: `The field "${matrixField}" has no block "${entryType}".` }
  }
  const place = {
    field: matrixField,
    block: block?.slug,
    carrier: handles.carrierField,
    service: handles.serviceField,
    trackingNumber: handles.trackingNumberField,
  }
  const unknown = [place.carrier, place.service, place.trackingNumber].find(
    (name) => findField(entryFields, name) === undefined,
  )
  return unknown === undefined
    ? { place }
    : { missing: `The entries of "${matrixField}" have no field "${unknown}".` }
}
