import type { CollectionConfig } from 'payload'

export const callLogsSlug = 'marketing-calls'

/** When each call of the marketing platform was made. Nobody reads it but the delivery. */
export const callLogCollection: CollectionConfig = {
  slug: callLogsSlug,
  admin: { hidden: true },
  access: { read: () => false, create: () => false, update: () => false, delete: () => false },
  lockDocuments: false,
  timestamps: false,
  fields: [
    { name: 'call', type: 'text', unique: true },
    { name: 'log', type: 'json' },
    // Goes up with every write, so that of two at once only one counts.
    { name: 'version', type: 'number' },
  ],
}
