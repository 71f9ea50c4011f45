import type { PaymentAdapter } from '@payloadcms/plugin-ecommerce/types'
import type { DefaultDocumentIDType, JsonObject } from 'payload'

/**
 * A payment method that takes no money: starting a payment stores a pending transaction, and
 * confirming it turns that transaction into an order.
 */
export const demoPayment = (): PaymentAdapter => ({
  name: 'demo',
  label: 'Demo payment',
  group: {
    name: 'demo',
    type: 'group',
    admin: { condition: (data) => data?.paymentMethod === 'demo' },
    fields: [{ name: 'shippingAddress', type: 'json' }],
  },

  async initiatePayment({ data, req, transactionsSlug }) {
    const { billingAddress, cart, currency, customerEmail, shippingAddress } = data
    if (!cart.subtotal) throw new Error('The cart has nothing to pay for')
    const words = wordsIn(req.data)
    // The order takes them over from the cart.
    if (words) {
      await req.payload.update({ collection: 'carts', id: cart.id, data: words, depth: 0, req })
    }
    const transaction = await req.payload.create({
      collection: transactionsSlug as 'transactions',
      data: {
        ...(req.user ? { customer: req.user.id } : { customerEmail }),
        amount: cart.subtotal,
        billingAddress,
        cart: cart.id,
        currency: currency as 'USD',
        demo: { shippingAddress: { ...shippingAddress } },
        items: cart.items.map(({ product, quantity, variant }) => ({
          product: idOf(product),
          quantity,
          ...(variant ? { variant: idOf(variant) } : {}),
        })),
        paymentMethod: 'demo',
        status: 'pending',
      },
      req,
    })
    return { message: 'Payment started', transactionID: transaction.id }
  },

  async confirmOrder({ data, finalizeOrder, req, transactionsSlug = 'transactions' }) {
    const found = await req.payload.find({
      collection: transactionsSlug as 'transactions',
      depth: 0,
      limit: 1,
      req,
      sort: '-createdAt',
      where: {
        and: [
          { cart: { equals: data.cartID } },
          { paymentMethod: { equals: 'demo' } },
          req.user
            ? { customer: { equals: req.user.id } }
            : { customerEmail: { equals: data.customerEmail } },
        ],
      },
    })
    const [transaction] = found.docs
    if (!transaction) throw new Error('There is no payment to confirm for this cart')
    const order = await finalizeOrder({
      orderData: {
        ...(req.user ? { customer: req.user.id } : { customerEmail: data.customerEmail }),
        amount: transaction.amount,
        billingAddress: transaction.billingAddress,
        currency: transaction.currency,
        items: transaction.items,
        shippingAddress: transaction.demo?.shippingAddress,
        status: 'processing',
      },
      transactionID: transaction.id,
    })
    return {
      message: 'Order confirmed',
      orderID: order.id as DefaultDocumentIDType,
      // The key to the order's page, for whoever just bought it.
      orderNumber: order.number,
      transactionID: transaction.id,
    }
  },
})

/** What the shopper wrote at the checkout; undefined for a checkout that does not ask. */
function wordsIn(data: JsonObject | undefined) {
  const { customerNotes, gift, giftMessage } = data ?? {}
  if (typeof customerNotes !== 'string' || typeof giftMessage !== 'string') return undefined
  return {
    customerNotes: customerNotes.slice(0, 1000),
    gift: gift === true,
    giftMessage: giftMessage.slice(0, 300),
  }
}

const idOf = (related: DefaultDocumentIDType | { id: DefaultDocumentIDType }) =>
  typeof related === 'object' ? related.id : related
