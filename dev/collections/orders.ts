import type { CollectionOverride } from '@payloadcms/plugin-ecommerce/types'
import type { Field } from 'payload'

/** Where an order is packed: the dropdown that tells shipping stores apart. */
export const warehouses = [
  { label: 'Berlin', value: 'berlin' },
  { label: 'Portland', value: 'portland' },
  { label: 'Osaka', value: 'osaka' },
]

/** How many of a line were given back. ShipStation gets the others. */
const refundedQuantity: Field = { name: 'refundedQuantity', type: 'number', min: 0 }

/** With it in each line. The extension keeps the lines in a tab. */
const withRefunds = (fields: Field[]): Field[] =>
  fields.map((field) => {
    if (field.type === 'tabs') {
      const tabs = field.tabs.map((tab) => ({ ...tab, fields: withRefunds(tab.fields) }))
      return { ...field, tabs }
    }
    return field.type === 'array' && field.name === 'items'
      ? { ...field, fields: [...field.fields, refundedQuantity] }
      : field
  })

export const withOrderFields: CollectionOverride = ({ defaultCollection }) => ({
  ...defaultCollection,
  admin: {
    ...defaultCollection.admin,
    defaultColumns: [
      ...['reference', 'createdAt', 'status', 'storeconnectStanding', 'customerEmail'],
      ...['warehouse', 'site'],
    ],
  },
  fields: [
    ...withRefunds(defaultCollection.fields),
    { name: 'warehouse', type: 'select', admin: { position: 'sidebar' }, options: warehouses },
  ],
})
