import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { buildConfig, type Access, type Field, type SanitizedConfig } from 'payload'
import { demoPayment } from '../../../dev/payments/demo-payment.ts'
import { storeConnect } from '../../../src/plugin.js'
import { bareConfig, type DatabaseKind } from '../../support/bare-config.js'
import type { StoreSetup } from '../../support/store-config.js'
import { sellingToShoppers, staffAndShoppers, withFields } from '../../support/store-shapes.js'

/**
 * A store that shows some of its products to members alone, or from a day on. Products, variants and categories have
 * slugs of its own, and texts in two languages. It lists Storeconnect before the extension.
 */
export function membersConfig(
  kind: DatabaseKind,
  url: string,
  { options, effects, config }: Omit<StoreSetup, 'kind' | 'url'> = {},
): Promise<SanitizedConfig> {
  return buildConfig({
    ...bareConfig({ kind, url, idType: 'uuid' }),
    ...config,
    localization: { locales: ['de', 'en'], defaultLocale: 'de', fallback: true },
    collections: [
      ...staffAndShoppers,
      { slug: 'shelves', access: { read: visible }, fields: [title, ...forMembers] },
    ],
    plugins: [
      storeConnect({ ...options, productFields: { categories: 'shelves' } }, effects),
      ecommercePlugin({
        ...sellingToShoppers,
        slugMap: { products: 'goods', variants: 'sizes' },
        products: {
          productsCollectionOverride: withFields([title, ...goodsFields, ...forMembers], {
            slug: 'goods',
            access: { read: visible },
          }),
          variants: {
            variantsCollectionOverride: withFields(forMembers, {
              slug: 'sizes',
              access: { read: visible },
            }),
          },
        },
        carts: { allowGuestCarts: true },
        payments: { paymentMethods: [demoPayment()] },
      }),
    ],
  })
}

/** What visitors may read. */
const visible: Access = ({ req: { user } }) =>
  Boolean(user) || {
    and: [
      { membersOnly: { not_equals: true } },
      {
        or: [{ from: { exists: false } }, { from: { less_than_equal: new Date().toISOString() } }],
      },
    ],
  }

const title: Field = { name: 'title', type: 'text', localized: true }

const forMembers: Field[] = [
  { name: 'membersOnly', type: 'checkbox' },
  { name: 'from', type: 'date' },
]

const goodsFields: Field[] = [
  { name: 'sku', type: 'text' },
  { name: 'image', type: 'text' },
  { name: 'shelves', type: 'relationship', relationTo: 'shelves', hasMany: true },
]
