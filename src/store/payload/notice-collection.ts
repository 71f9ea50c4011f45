import type { CollectionConfig } from 'payload'
import { readOnlyAccess, type IsAdmin } from './admin-access.js'
import { adminGroup, label, labels } from './label.js'

export const noticesSlug = 'shipping-notices'

/** Every shipment notice, one record each: a second parcel does not erase the first. */
export const noticeCollection = (ordersSlug: string, isAdmin: IsAdmin): CollectionConfig => ({
  slug: noticesSlug,
  labels: labels('shipment', 'shipments'),
  admin: {
    group: adminGroup,
    description: label('shipmentsDescription'),
    useAsTitle: 'trackingNumber',
    defaultColumns: ['reference', 'carrier', 'service', 'trackingNumber', 'shipDate', 'createdAt'],
  },
  access: readOnlyAccess(isAdmin),
  disableDuplicate: true,
  lockDocuments: false,
  fields: [
    {
      name: 'order',
      type: 'relationship',
      relationTo: ordersSlug,
      label: label('order'),
      index: true,
    },
    { name: 'reference', type: 'text', label: label('reference') },
    { name: 'carrier', type: 'text', label: label('carrier') },
    { name: 'service', type: 'text', label: label('service') },
    { name: 'trackingNumber', type: 'text', label: label('trackingNumber'), index: true },
    {
      name: 'shipDate',
      type: 'date',
      label: label('shipDate'),
      admin: { date: { pickerAppearance: 'dayOnly', displayFormat: 'd MMM yyyy' } },
    },
    { name: 'shippingCost', type: 'text', label: label('shippingCost') },
    {
      name: 'lines',
      type: 'array',
      label: label('shippedLines'),
      fields: [
        {
          type: 'row',
          fields: [
            { name: 'sku', type: 'text', label: label('sku') },
            { name: 'name', type: 'text', label: label('itemName') },
            { name: 'quantity', type: 'number', label: label('quantity') },
          ],
        },
      ],
    },
    // What makes a repeat of the same notice the same record.
    { name: 'fingerprint', type: 'text', unique: true, admin: { hidden: true } },
  ],
})
