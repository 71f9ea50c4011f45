import type { CollectionConfig } from 'payload'
import { readOnlyAccess, type IsAdmin } from './admin-access.js'
import { adminGroup, label, labels } from './label.js'

export const omissionsSlug = 'shipping-omissions'

/** Orders that the export left out, and why; one record an order, gone when it passes. */
export const omissionCollection = (ordersSlug: string, isAdmin: IsAdmin): CollectionConfig => ({
  slug: omissionsSlug,
  labels: labels('omission', 'omissions'),
  admin: {
    group: adminGroup,
    description: label('omissionsDescription'),
    useAsTitle: 'reference',
    defaultColumns: ['reference', 'reasons', 'updatedAt', 'order'],
  },
  access: readOnlyAccess(isAdmin),
  disableDuplicate: true,
  lockDocuments: false,
  fields: [
    { name: 'reference', type: 'text', label: label('reference') },
    { name: 'reasons', type: 'textarea', label: label('reasons') },
    // Off for an order that nobody means to ship, so that the merchant has nothing to mend.
    { name: 'isFailure', type: 'checkbox', admin: { hidden: true } },
    {
      name: 'order',
      type: 'relationship',
      relationTo: ordersSlug,
      label: label('order'),
      unique: true,
    },
  ],
})
