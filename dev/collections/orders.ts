import type { CollectionOverride } from '@payloadcms/plugin-ecommerce/types'

/** Where an order is packed: the dropdown that tells shipping stores apart. */
export const warehouses = [
  { label: 'Berlin', value: 'berlin' },
  { label: 'Portland', value: 'portland' },
  { label: 'Osaka', value: 'osaka' },
]

export const withWarehouse: CollectionOverride = ({ defaultCollection }) => ({
  ...defaultCollection,
  admin: {
    ...defaultCollection.admin,
    defaultColumns: [
      ...['reference', 'createdAt', 'status', 'storeconnectStanding', 'customerEmail'],
      ...['warehouse', 'site'],
    ],
  },
  fields: [
    ...defaultCollection.fields,
    { name: 'warehouse', type: 'select', admin: { position: 'sidebar' }, options: warehouses },
  ],
})
