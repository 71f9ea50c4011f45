import type { CollectionOverride } from '@payloadcms/plugin-ecommerce/types'
import { klaviyoListsField } from 'payload-storeconnect'
import type { Field } from 'payload'

const weightFields: Field = {
  type: 'row',
  fields: [
    { name: 'weight', type: 'number', min: 0 },
    { name: 'weightUnit', type: 'select', defaultValue: 'g', options: ['g', 'kg', 'oz', 'lb'] },
  ],
}

/** Gives products what the shop shows and ships by, and the lists of those who ask for news. */
export const withProductFields: CollectionOverride = ({ defaultCollection }) => ({
  ...defaultCollection,
  admin: {
    ...defaultCollection.admin,
    defaultColumns: ['title', 'sku', 'priceInUSD', 'enableVariants', '_status'],
    useAsTitle: 'title',
  },
  fields: [
    { name: 'title', type: 'text', required: true },
    { name: 'slug', type: 'text', index: true, unique: true, admin: { position: 'sidebar' } },
    { name: 'sku', type: 'text', label: 'SKU', admin: { position: 'sidebar' } },
    klaviyoListsField({
      name: 'newsLists',
      label: 'Lists for news',
      admin: {
        description: 'Whoever asks for news of this product joins them.',
        position: 'sidebar',
      },
    }),
    { name: 'description', type: 'textarea' },
    { name: 'image', type: 'upload', relationTo: 'media' },
    weightFields,
    ...defaultCollection.fields,
  ],
})

/** Gives variants a stock number of their own and, where it differs, a weight. */
export const withVariantFields: CollectionOverride = ({ defaultCollection }) => ({
  ...defaultCollection,
  fields: [
    ...defaultCollection.fields,
    { name: 'sku', type: 'text', label: 'SKU', admin: { position: 'sidebar' } },
    weightFields,
  ],
})
