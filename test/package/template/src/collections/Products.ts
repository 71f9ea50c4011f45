import type { CollectionOverride } from '@payloadcms/plugin-ecommerce/types'
import { slugField } from 'payload'

export const ProductsCollection: CollectionOverride = ({ defaultCollection }) => ({
  ...defaultCollection,
  admin: { ...defaultCollection.admin, useAsTitle: 'title' },
  defaultPopulate: {
    ...defaultCollection.defaultPopulate,
    title: true,
    slug: true,
    gallery: true,
    inventory: true,
    priceInUSD: true,
    variants: true,
  },
  fields: [
    { name: 'title', type: 'text', required: true },
    {
      type: 'tabs',
      tabs: [
        {
          label: 'Content',
          fields: [
            { name: 'description', type: 'richText' },
            {
              name: 'gallery',
              type: 'array',
              fields: [{ name: 'image', type: 'upload', relationTo: 'media', required: true }],
            },
          ],
        },
        {
          label: 'Product Details',
          fields: [
            ...defaultCollection.fields,
            {
              name: 'relatedProducts',
              type: 'relationship',
              relationTo: 'products',
              hasMany: true,
            },
          ],
        },
      ],
    },
    { name: 'categories', type: 'relationship', relationTo: 'categories', hasMany: true },
    slugField(),
  ],
})
