import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import type { PaymentAdapter } from '@payloadcms/plugin-ecommerce/types'
import { buildConfig, type Field, type SanitizedConfig } from 'payload'
import { storeConnect } from '../../src/plugin.js'
import { bareConfig, type DatabaseKind } from '../support/bare-config.js'
import { testCredentials } from '../support/store-config.js'
import { sellingToShoppers, staffAndShoppers, withFields } from '../support/store-shapes.js'

/**
 * A store that names everything in its own way and lists Storeconnect before the extension. Its
 * payment method confirms orders as a real one does. Carts keep their slug: the extension's own
 * checkout finds no others.
 */
export function renamedConfig(kind: DatabaseKind, url: string): Promise<SanitizedConfig> {
  return buildConfig({
    ...bareConfig({ kind, url }),
    secret: 'a-secret-of-the-renamed-store',
    collections: [
      ...staffAndShoppers,
      {
        slug: 'channels',
        fields: [
          { name: 'baseUrl', type: 'text' },
          { name: 'cartUrl', type: 'text' },
        ],
      },
    ],
    plugins: [
      storeConnect({
        collections: {
          orders: 'purchases',
          transactions: 'payment-records',
          sites: 'channels',
        },
        fields: {
          reference: 'details.code',
          number: 'token',
          customerNotes: 'details.wishes',
          tracking: 'parcels',
        },
        productFields: { name: 'label', sku: 'codes.sku', weight: 'mass', weightUnit: 'massUnit' },
        shipping: { settings: { ...testCredentials, matrixField: 'parcels' } },
        payments: { confirmation: ({ billingAddress }) => ({ shippingAddress: billingAddress }) },
      }),
      ecommercePlugin({
        slugMap: { orders: 'purchases', transactions: 'payment-records' },
        ...sellingToShoppers,
        products: { variants: false, productsCollectionOverride: withFields(productFields) },
        carts: { allowGuestCarts: true, cartsCollectionOverride: withFields(cartFields) },
        transactions: {
          transactionsCollectionOverride: withFields([], { slug: 'payment-records' }),
        },
        orders: {
          ordersCollectionOverride: withFields([details, summary], { slug: 'purchases' }),
        },
        payments: { paymentMethods: [invoice] },
      }),
    ],
  })
}

const productFields: Field[] = [
  { name: 'label', type: 'text' },
  { name: 'codes', type: 'group', fields: [{ name: 'sku', type: 'text' }] },
  { name: 'mass', type: 'number' },
  { name: 'massUnit', type: 'text' },
]

const cartFields: Field[] = [
  { name: 'giftMessage', type: 'text', label: 'Card', maxLength: 40 },
  { name: 'details', type: 'group', fields: [{ name: 'wishes', type: 'text' }] },
]

const details: Field = {
  name: 'details',
  type: 'group',
  fields: [
    { name: 'code', type: 'text', unique: true },
    { name: 'wishes', type: 'text' },
  ],
}

/** What an order comes to, line by line, as the extension plans it. */
const summary: Field = {
  name: 'summary',
  type: 'group',
  fields: [
    {
      name: 'lines',
      type: 'array',
      fields: [
        {
          name: 'type',
          type: 'select',
          options: ['subtotal', 'tax', 'shipping', 'discount', 'gift_card', 'custom'],
        },
        { name: 'label', type: 'text' },
        { name: 'amount', type: 'number' },
      ],
    },
  ],
}

/** Keeps the basket's lines in the transaction, and makes the order of them once confirmed. */
const invoice: PaymentAdapter = {
  name: 'invoice',
  label: 'Invoice',
  group: { name: 'invoice', type: 'group', fields: [{ name: 'terms', type: 'text' }] },
  async initiatePayment({ data, req, transactionsSlug }) {
    const items = data.cart.items.map(({ product, quantity }) => ({
      product: typeof product === 'object' ? product.id : product,
      quantity,
    }))
    const transaction = await req.payload.create({
      collection: transactionsSlug,
      data: {
        cart: data.cart.id,
        items,
        amount: data.cart.subtotal,
        currency: data.currency,
        customerEmail: data.customerEmail,
        billingAddress: data.billingAddress,
        paymentMethod: 'invoice',
        status: 'pending',
      },
      req,
    })
    return { message: 'Initiated', transactionID: transaction.id }
  },
  async confirmOrder({ data, finalizeOrder, req, transactionsSlug = 'payment-records' }) {
    const { transactionID, shippingAddress } = data as unknown as {
      transactionID: number
      shippingAddress: Record<string, unknown>
    }
    const transaction = (await req.payload.findByID({
      collection: transactionsSlug,
      id: transactionID,
      depth: 0,
      req,
    })) as unknown as Record<string, unknown>
    const { amount, currency, customerEmail, items } = transaction
    const lines = (items as { product: number; quantity: number }[]).map(
      ({ product, quantity }) => ({ product, quantity }),
    )
    const order = await finalizeOrder({
      orderData: { amount, currency, customerEmail, items: lines, shippingAddress },
      transactionID,
    })
    return { message: 'Confirmed', orderID: order.id as number, transactionID }
  },
}
