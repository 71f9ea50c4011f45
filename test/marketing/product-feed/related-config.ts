import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { buildConfig, type CollectionConfig, type Field, type SanitizedConfig } from 'payload'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { storeConnect } from '../../../src/plugin.js'
import { bareConfig, type DatabaseKind } from '../../support/bare-config.js'
import { openToUsers, withFields } from '../../support/store-shapes.js'

export type IdType = 'number' | 'uuid'

interface RelatedSetup {
  kind: DatabaseKind
  url: string
  idType: IdType
  /** Where the store says that its products keep things. */
  productFields?: StoreConnectOptions['productFields']
}

/** A store whose products point to pictures and categories; some of both are closed to guests. */
export function relatedConfig({
  kind,
  url,
  idType,
  productFields: names = {},
}: RelatedSetup): Promise<SanitizedConfig> {
  return buildConfig({
    ...bareConfig({ kind, url, idType }),
    collections: [
      { slug: 'users', auth: true, fields: [{ name: 'role', type: 'text' }] },
      // As Payload has it: for those alone who are logged in.
      pictures('closed-pictures'),
      { ...pictures('open-pictures'), access: { read: () => true } },
      { slug: 'closed-categories', fields: title },
      {
        slug: 'open-categories',
        access: { read: () => true },
        fields: [...title, { name: 'cover', type: 'upload', relationTo: 'open-pictures' }],
      },
    ],
    plugins: [
      ecommercePlugin({
        ...openToUsers,
        products: {
          productsCollectionOverride: withFields(productFields),
        },
      }),
      storeConnect({
        marketing: { delivery: 'task' },
        productFields: names,
        productUrl: ({ productId }) => `/tea/${productId}`,
      }),
    ],
  })
}

const title: Field[] = [{ name: 'title', type: 'text' }]

const pictures = (slug: string): CollectionConfig => ({
  slug,
  upload: { disableLocalStorage: true },
  fields: [],
})

const productFields: Field[] = [
  ...title,
  { name: 'closedPicture', type: 'upload', relationTo: 'closed-pictures' },
  { name: 'openPicture', type: 'upload', relationTo: 'open-pictures' },
  {
    name: 'gallery',
    type: 'array',
    fields: [
      { name: 'open', type: 'upload', relationTo: 'open-pictures' },
      { name: 'closed', type: 'upload', relationTo: 'closed-pictures' },
    ],
  },
  {
    name: 'closedCategories',
    type: 'relationship',
    relationTo: 'closed-categories',
    hasMany: true,
  },
  { name: 'openCategories', type: 'relationship', relationTo: 'open-categories', hasMany: true },
  {
    name: 'shelf',
    type: 'group',
    fields: [{ name: 'of', type: 'relationship', relationTo: 'open-categories' }],
  },
]
