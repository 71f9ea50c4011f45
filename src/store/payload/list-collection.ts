import type { CollectionConfig } from 'payload'

export const listsSlug = 'shipping-lists'

/**
 * The fixed lists behind exports of more than one page (`docs/decisions/0002-fixed-export-lists.md`).
 * Nobody reads them but the export.
 */
export const listCollection: CollectionConfig = {
  slug: listsSlug,
  admin: { hidden: true },
  access: { read: () => false, create: () => false, update: () => false, delete: () => false },
  lockDocuments: false,
  fields: [
    // Which window, store and page size the list is for.
    { name: 'key', type: 'text', index: true },
    // Tells two lists of the same key apart; the newest counts.
    { name: 'list', type: 'text', index: true },
    // A list is kept in parts: where each starts in it, how many ids it has, and the ids.
    { name: 'start', type: 'number' },
    { name: 'size', type: 'number' },
    { name: 'ids', type: 'textarea' },
    { name: 'total', type: 'number' },
  ],
}
