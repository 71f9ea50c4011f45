import { slugField, type CollectionConfig } from 'payload'
import { isAdmin, isAdminOrPublished, isEverybody } from '@/access'

const writtenByAdmins = { create: isAdmin, delete: isAdmin, update: isAdmin }

export const Pages: CollectionConfig = {
  slug: 'pages',
  access: { ...writtenByAdmins, read: isAdminOrPublished },
  admin: { useAsTitle: 'title' },
  fields: [
    { name: 'title', type: 'text', required: true },
    {
      type: 'tabs',
      tabs: [
        {
          label: 'Content',
          fields: [
            {
              name: 'layout',
              type: 'blocks',
              blocks: [
                { slug: 'banner', fields: [{ name: 'text', type: 'text', required: true }] },
              ],
            },
          ],
        },
      ],
    },
    slugField(),
  ],
  versions: { drafts: { autosave: true }, maxPerDoc: 50 },
}

export const Categories: CollectionConfig = {
  slug: 'categories',
  access: { ...writtenByAdmins, read: isEverybody },
  admin: { useAsTitle: 'title' },
  fields: [{ name: 'title', type: 'text', required: true }, slugField()],
}

export const Media: CollectionConfig = {
  slug: 'media',
  access: { ...writtenByAdmins, read: isEverybody },
  upload: { staticDir: 'public/media' },
  fields: [
    { name: 'alt', type: 'text', required: true },
    { name: 'caption', type: 'richText' },
  ],
}
