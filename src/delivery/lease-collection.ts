import type { CollectionConfig } from 'payload'

export const leaseSlug = 'marketing-lease'

/** Which process delivers, in one document. Nobody reads it but the delivery. */
export const leaseCollection: CollectionConfig = {
  slug: leaseSlug,
  admin: { hidden: true },
  access: { read: () => false, create: () => false, update: () => false, delete: () => false },
  lockDocuments: false,
  timestamps: false,
  fields: [
    { name: 'name', type: 'text', unique: true },
    // Goes up with every process that takes the lease: what an earlier one still writes changes nothing.
    { name: 'epoch', type: 'number' },
    { name: 'until', type: 'date' },
    // The calls of the last minute and the pauses, for whoever takes over.
    { name: 'calls', type: 'json' },
  ],
}
