import type { CollectionConfig } from 'payload'
import { anyone, isAdmin } from './access.ts'

/** Pictures of the products, kept below the store's data directory. */
export const mediaIn = (directory: string): CollectionConfig => ({
  slug: 'media',
  access: { create: isAdmin, delete: isAdmin, read: anyone, update: isAdmin },
  fields: [{ name: 'alt', type: 'text', label: 'Description for people who cannot see it' }],
  upload: { mimeTypes: ['image/*'], staticDir: directory },
})
