import type { CollectionConfig } from 'payload'

/** What is the same in all collections that only Storeconnect itself reads and writes, by SQL. */
export const internalCollection = {
  admin: { hidden: true },
  access: { read: () => false, create: () => false, update: () => false, delete: () => false },
  lockDocuments: false,
  versions: false,
} satisfies Partial<CollectionConfig>
