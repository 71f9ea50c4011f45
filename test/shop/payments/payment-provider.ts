import type { PaymentAdapter } from '@payloadcms/plugin-ecommerce/types'

type Data = Record<string, unknown>

interface Intent {
  id: string
  amount: number
  status: 'requires_payment_method' | 'succeeded'
  metadata: Readonly<Record<string, string>>
}

/** The longest value of `metadata` that Stripe takes. */
const longestValue = 500

const idOf = (related: unknown) =>
  typeof related === 'object' && related !== null ? (related as { id: unknown }).id : related

/** A provider of payments like Stripe, and a payment method like the extension's own for it. */
export function createPaymentProvider() {
  const intents = new Map<string, Intent>()
  let isAway = false

  const retrieve = (id: unknown): Promise<Intent> => {
    const intent = intents.get(String(id))
    if (isAway || intent === undefined) return Promise.reject(new Error('The provider is away.'))
    return Promise.resolve(intent)
  }

  const adapter: Pick<PaymentAdapter, 'initiatePayment' | 'confirmOrder'> = {
    async initiatePayment({ data: { cart, currency, customerEmail }, req, transactionsSlug }) {
      const items = cart.items.map(({ product, variant, quantity }) => ({
        product: idOf(product),
        quantity,
        ...(variant ? { variant: idOf(variant) } : {}),
      }))
      const metadata = { cartID: String(cart.id), cartItemsSnapshot: JSON.stringify(items) }
      if (metadata.cartItemsSnapshot.length > longestValue) throw new Error('Metadata is too long.')
      const intent: Intent = {
        id: `pi_${intents.size + 1}`,
        amount: Number(cart.subtotal),
        status: 'requires_payment_method',
        metadata,
      }
      intents.set(intent.id, intent)
      const payment = await req.payload.create({
        collection: transactionsSlug,
        data: {
          ...(req.user ? { customer: req.user.id } : { customerEmail }),
          ...{ amount: intent.amount, cart: cart.id, currency, items },
          paymentMethod: 'demo',
          status: 'pending',
          demo: { note: intent.id },
        },
        req,
      })
      return { message: 'Begun', note: intent.id, transactionID: payment.id }
    },

    async confirmOrder({ data, finalizeOrder, req, transactionsSlug = 'transactions' }) {
      const { note, cartID, customerEmail } = data as unknown as Data
      const where = { 'demo.note': { equals: note } }
      const found = await req.payload.find({ collection: transactionsSlug, where, depth: 0, req })
      const [payment] = found.docs as unknown as Data[]
      if (payment === undefined) throw new Error('There is no such payment.')
      const intent = await retrieve(note)
      if (String(cartID) !== intent.metadata.cartID) throw new Error('It is another cart.')
      const isTheirs = req.user
        ? idOf(payment.customer) === req.user.id
        : payment.customerEmail === customerEmail
      if (!isTheirs) throw new Error('It is another person.')
      if (intent.amount !== payment.amount) throw new Error('It is another amount.')
      if (intent.status !== 'succeeded') throw new Error('Payment not completed.')
      const order = await finalizeOrder({
        orderData: {
          ...(req.user ? { customer: req.user.id } : { customerEmail }),
          amount: payment.amount,
          currency: payment.currency,
          items: JSON.parse(String(intent.metadata.cartItemsSnapshot)) as unknown,
          status: 'processing',
        },
        transactionID: Number(payment.id),
      })
      return { message: 'Confirmed', orderID: Number(order.id), transactionID: Number(payment.id) }
    },
  }

  return {
    adapter,
    /** The shopper pays. */
    pay(id: string): void {
      const intent = intents.get(id)
      if (intent) intents.set(id, { ...intent, status: 'succeeded' })
    },
    leave: (away: boolean): void => void (isAway = away),
  }
}
