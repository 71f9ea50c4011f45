import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import type { CollectionOverride } from '@payloadcms/plugin-ecommerce/types'
import { buildConfig, type Config, type Field, type Plugin, type SanitizedConfig } from 'payload'
import { pluginSlug } from '../../src/core/installation.js'
import type { StoreConnectOptions } from '../../src/plugin/options.js'
import { storeConnect } from '../../src/plugin.js'
import { bareConfig } from '../support/bare-config.js'
import { withFields, withLineFields } from '../support/store-shapes.js'

/** What a file of the documents exports. */
interface DocumentedFile {
  plugin?: Plugin
  /** A plugin that changes Storeconnect's options. */
  berlinTime?: () => Plugin
  ProductsCollection?: CollectionOverride
}

/** What a page of the documents says of the config of a store. */
export interface DocumentedStore {
  plugins: Plugin[]
  products: { productsCollectionOverride: CollectionOverride }
  options: StoreConnectOptions
}

export async function importStore(file: string): Promise<DocumentedStore> {
  const { plugin, berlinTime, ProductsCollection } = (await import(file)) as DocumentedFile
  if (plugin?.slug !== pluginSlug && berlinTime === undefined) {
    throw new Error(`${file} exports no plugin.`)
  }
  const options: StoreConnectOptions = plugin?.options ?? {}
  return {
    plugins: [plugin ?? storeConnect(), ...(berlinTime ? [berlinTime()] : [])],
    products: {
      productsCollectionOverride: async (given) => {
        const own = (await ProductsCollection?.(given)) ?? given.defaultCollection
        const named = options.productFields === undefined ? [] : fieldsOfProducts
        return { ...own, fields: [...own.fields, ...named] }
      },
    },
    options,
  }
}

interface Place {
  /** A file's path. */
  url: string
  config?: Partial<Config>
}

/** The least that such a store needs: the extension, with the collections and fields that it names. */
export function documentedConfig(
  { plugins, products, options: { collections = {}, fields = {}, marketing } }: DocumentedStore,
  { url, config = {} }: Place,
): Promise<SanitizedConfig> {
  const reviews = typeof marketing === 'object' ? marketing.reviews?.collection : undefined
  const { orders = 'orders', carts = 'carts', transactions = 'transactions', sites } = collections
  return buildConfig({
    ...bareConfig({ kind: 'sqlite', url }),
    ...config,
    collections: [
      {
        slug: 'users',
        auth: true,
        fields: [{ name: 'roles', type: 'select', hasMany: true, options: ['admin', 'customer'] }],
      },
      ...(sites === undefined ? [] : [{ slug: sites, fields: [] }]),
      ...(reviews === undefined ? [] : [{ slug: reviews, fields: fieldsOfReviews }]),
    ],
    plugins: [
      ecommercePlugin({
        slugMap: { orders, carts, transactions },
        access: {
          adminOnlyFieldAccess: () => false,
          adminOrPublishedStatus: () => true,
          isAdmin: () => false,
          isDocumentOwner: () => false,
        },
        customers: { slug: 'users' },
        products,
        orders: {
          ordersCollectionOverride: ({ defaultCollection: own }) => ({
            ...own,
            slug: orders,
            fields: [
              ...withLineFields(own.fields, fields.refundedQuantity ? [returned] : []),
              ...(orders === 'orders' ? [] : fieldsOfPurchases),
            ],
          }),
        },
        carts: { cartsCollectionOverride: withFields([], { slug: carts }) },
        transactions: { transactionsCollectionOverride: withFields([], { slug: transactions }) },
      }),
      ...plugins,
    ],
  })
}

const fieldsOfProducts: Field[] = [
  { name: 'name', type: 'text' },
  { name: 'articleNumber', type: 'text' },
  { name: 'gallery', type: 'array', fields: [{ name: 'image', type: 'text' }] },
]

const returned: Field = {
  name: 'returned',
  type: 'group',
  fields: ['count', 'value'].map((name) => ({ name, type: 'number' })),
}

const fieldsOfReviews: Field[] = [
  { name: 'author', type: 'relationship', relationTo: 'users' },
  { name: 'comment', type: 'textarea' },
  { name: 'status', type: 'text' },
]

const fieldsOfPurchases: Field[] = [
  { name: 'details', type: 'group', fields: [{ name: 'orderNumber', type: 'text' }] },
  { name: 'email', type: 'email' },
]
