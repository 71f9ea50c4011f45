import { defineFeature } from '../../core/feature.js'
import { addFieldAfter } from '../../core/payload/field-search.js'
import { label, labels, type TranslationKey } from '../../core/payload/label.js'
import { parcelStateTexts } from '../../shop/orders/parcel-state.js'
import { noticesSlug } from '../notice/notice-collection.js'
import { trackingMatters } from './matters.js'

/** What ShipStation's webhooks say of parcels on their way. */
export const trackingFeature = defineFeature({
  matters: trackingMatters,
  fields: () => ({
    [noticesSlug]: (notices) => ({
      ...notices,
      fields: trackingFields.reduceRight(
        (fields, field) => addFieldAfter(fields, 'trackingNumber', field),
        notices.fields,
      ),
    }),
  }),
  parts: async () => (await import('./parts.js')).trackingParts,
})

const stateField = (more: { index?: true } = {}) => ({
  name: 'state',
  type: 'select' as const,
  label: label('parcelState'),
  options: Object.entries(parcelStateTexts).map(([value, text]) => ({
    value,
    label: label(text),
  })),
  ...more,
})

const moment = (name: string, text: TranslationKey, more: { index?: true } = {}) => ({
  name,
  type: 'date' as const,
  label: label(text),
  admin: { date: { pickerAppearance: 'dayAndTime' as const } },
  ...more,
})

/** Each state once. The row's id is made of the shipment and the state, so that a repeat is the same row. */
const statesField = {
  name: 'states',
  type: 'array' as const,
  label: label('parcelStates'),
  labels: labels('parcelState', 'parcelStates'),
  fields: [
    { type: 'row' as const, fields: [stateField(), moment('at', 'parcelStateAt')] },
    { name: 'receivedAt', type: 'date' as const, index: true, admin: { hidden: true } },
    // The merchant's switches may have been off when it came. What nobody was told then stays untold.
    { name: 'isOff', type: 'checkbox' as const, admin: { hidden: true } },
  ],
}

/** What is known of the parcel now, and before. The newest report counts, whichever came last. */
const trackingFields = [
  stateField({ index: true }),
  moment('movedAt', 'movedAt', { index: true }),
  {
    name: 'estimatedDelivery',
    type: 'date' as const,
    label: label('estimatedDelivery'),
    admin: { date: { pickerAppearance: 'dayOnly' as const, displayFormat: 'd MMM yyyy' } },
  },
  statesField,
]
