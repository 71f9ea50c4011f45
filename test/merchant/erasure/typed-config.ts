import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { buildConfig, type Block, type Field, type SanitizedConfig } from 'payload'
import { storeConnect } from '../../../src/plugin.js'
import { bareConfig, type DatabaseKind } from '../../support/bare-config.js'
import { besideDrafts } from '../../support/store-config.js'
import { sellingToShoppers, staffAndShoppers, withFields } from '../../support/store-shapes.js'

const wish: Block = {
  slug: 'wish',
  fields: [
    { name: 'words', type: 'textarea' },
    { name: 'hints', type: 'array', fields: [{ name: 'hint', type: 'text' }] },
  ],
}

/** Its columns differ from those of the other block of this slug, so its table has a number. */
const numberedWish: Block = { slug: 'wish', fields: [{ name: 'seal', type: 'text' }] }

/** Fields of every kind in which somebody may type, wherever a store may put them. */
const typed: Field[] = [
  { name: 'nickname', type: 'text', required: true, defaultValue: 'none' },
  { name: 'motto', type: 'textarea', localized: true },
  { name: 'aliases', type: 'text', hasMany: true },
  { name: 'contact', type: 'email' },
  { name: 'profile', type: 'json', required: true, defaultValue: {} },
  { name: 'invoiceNumber', type: 'text', unique: true },
  { name: 'ledgerCode', type: 'text' },
  {
    type: 'tabs',
    tabs: [
      {
        name: 'gifts',
        fields: [
          { name: 'recipient', type: 'group', fields: [{ name: 'greeting', type: 'text' }] },
          {
            name: 'people',
            type: 'array',
            fields: [
              { name: 'who', type: 'text' },
              { name: 'said', type: 'text', localized: true },
              { name: 'wishes', type: 'blocks', blocks: [wish] },
            ],
          },
        ],
      },
    ],
  },
  { name: 'stamps', type: 'blocks', blocks: [numberedWish] },
  {
    name: 'delivery',
    type: 'group',
    fields: [
      { name: 'firstName', type: 'text' },
      { name: 'addressLine1', type: 'text' },
      { name: 'country', type: 'text' },
      { name: 'floor', type: 'number' },
    ],
  },
]

/** Of a line. */
const engraving: Field = { name: 'engraving', type: 'text' }

const payment: Field = {
  name: 'demo',
  type: 'group',
  fields: [
    { name: 'paymentID', type: 'text' },
    { name: 'shippingAddress', type: 'json' },
    { name: 'remark', type: 'text' },
  ],
}

/**
 * A store whose orders, payments and carts have fields of its own, in two languages, and whose staff write
 * orders as drafts first.
 */
export function typedConfig(kind: DatabaseKind, url: string): Promise<SanitizedConfig> {
  return buildConfig({
    ...bareConfig({ kind, url }),
    localization: { locales: ['en', 'de'], defaultLocale: 'en' },
    collections: [...staffAndShoppers],
    plugins: [
      ecommercePlugin({
        ...sellingToShoppers,
        addresses: {
          addressesCollectionOverride: withFields([], { versions: true }),
        },
        products: { variants: false },
        carts: {
          allowGuestCarts: true,
          cartsCollectionOverride: ({ defaultCollection }) => ({
            ...defaultCollection,
            fields: [
              ...defaultCollection.fields.map((field) =>
                field.type === 'array' && field.name === 'items'
                  ? { ...field, fields: [...field.fields, engraving] }
                  : field,
              ),
              ...typed,
            ],
          }),
        },
        payments: {
          paymentMethods: [
            {
              name: 'demo',
              label: 'Demo',
              group: payment as never,
              initiatePayment: () => ({ message: '' }),
              confirmOrder: () => ({ message: '', orderID: 0, transactionID: 0 }),
            },
          ],
        },
        transactions: {
          transactionsCollectionOverride: withFields(typed),
        },
        orders: {
          ordersCollectionOverride: ({ defaultCollection }) => ({
            ...defaultCollection,
            fields: [...defaultCollection.fields.map((field) => besideDrafts(field)), ...typed],
            versions: { drafts: true },
          }),
        },
      }),
      storeConnect({
        erasure: { keepFields: ['ledgerCode', 'stamps.wish.seal'] },
        marketing: { delivery: 'task' },
      }),
    ],
  })
}
