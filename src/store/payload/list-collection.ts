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
    // Tells two lists of the same key apart: each pull has its own.
    { name: 'list', type: 'text', index: true },
    // A list's first row says how many pages it has, and how far its pull has read.
    { name: 'pages', type: 'number' },
    { name: 'certainPage', type: 'number' },
    { name: 'highestPage', type: 'number' },
    // Its other rows are its parts: where each starts in it, how many ids it has, and the ids.
    { name: 'start', type: 'number' },
    { name: 'size', type: 'number' },
    { name: 'ids', type: 'textarea' },
  ],
}
