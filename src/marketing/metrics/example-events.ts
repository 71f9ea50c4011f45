import type { NewSend } from '../delivery/send.js'
import type { EventContext } from '../events/event-context.js'
import type { CartSnapshot } from '../events/event-options.js'
import { cartSend, orderSends } from '../events/event-sends.js'
import { subjectProperties } from '../events/subject-properties.js'
import type { EventMessage, MarketingEvent } from '../klaviyo/message.js'
import { throughHooks } from '../klaviyo/through-hooks.js'
import { addedEvent, viewedEvent } from '../onsite/onsite-events.js'
import {
  refundedStatus,
  type OrderHappening,
  type StatusWords,
} from '../../shop/orders/happening.js'
import { parcelStates } from '../../shop/orders/parcel-state.js'
import type { Address, LineItem, Order } from '../../shop/orders/order.js'
import { completeOrder } from '../../shop/orders/order-values.js'
import { reviewSend, type SubmittedReview } from '../reviews/review-send.js'
import { exampleProfile } from './example-profile.js'

/** The number of the order and of the cart. The unique ids follow from it, so each event is recorded once. */
export const exampleNumber = 'storeconnect-example'

interface Examples {
  /** Of the shop, without a cart. */
  context: EventContext
  checkoutUrl: string | undefined
  currency: string
  statuses: readonly string[]
  words: StatusWords
  /** Whether ShipStation reports where parcels are. */
  tracksParcels: boolean
  /** Whether Klaviyo's script is on the pages. */
  hasPages: boolean
  /** Whether it hears of reviews, and of orders that can be reviewed. */
  reviews: { isOn: boolean; areRequested: boolean }
}

/**
 * One event of each metric that the shop sends, about a made-up person, order, cart and product. A metric
 * exists at Klaviyo once an event of it was recorded; until then no flow can begin with it.
 */
export async function exampleEvents(examples: Examples): Promise<NewSend[]> {
  const { context, checkoutUrl, currency, hasPages, reviews } = examples
  const marked = { ...context, mark: asExample }
  const ofCarts = { ...marked, checkoutUrl }
  const cart = exampleCart(currency)
  const about = { cart, person: exampleProfile, at: context.now }
  const order = exampleOrder(currency, context.now)
  const orderSendsOf = (happening: OrderHappening) =>
    orderSends(isRefund(happening) ? refunded(order) : order, [happening], marked)
  const sends = [
    await cartSend({ kind: 'updated', ...about }, ofCarts),
    await cartSend({ kind: 'started', state: 'example', ...about }, ofCarts),
    ...(await Promise.all(happenings(examples).map(orderSendsOf))).flat(),
    ...(hasPages ? await pageSends(cart, ofCarts) : []),
    ...(reviews.isOn ? [await reviewSend(exampleReview(context.now), marked)] : []),
  ]
  return sends.flatMap((send) =>
    send?.message.kind === 'event' ? { ...send, key: exampleKey(send.message.event) } : [],
  )
}

/** An event that was renamed is another example. */
const exampleKey = ({ name, uniqueId }: MarketingEvent) => `example:${name}:${uniqueId}`

/** It is worth nothing, so that it is no revenue, and starts no flow. */
const asExample = ({ event, ...message }: EventMessage): EventMessage => ({
  ...message,
  profile: exampleProfile,
  event: {
    ...event,
    value: 0,
    backfill: true,
    properties: { ...event.properties, Example: true },
  },
})

const line: LineItem = {
  id: '1',
  productId: 'example-product',
  slug: 'example-product',
  sku: 'EXAMPLE-1',
  name: 'Example product',
  quantity: 2,
  unitPrice: 1250,
  weight: 250,
  weightUnit: 'g',
  imageUrl: '/example-product.jpg',
  options: [{ name: 'Size', value: 'Large' }],
  categories: ['Example category'],
  brand: 'Example brand',
}

const address: Address = {
  name: 'Storeconnect Test',
  firstName: 'Storeconnect',
  lastName: 'Test',
  company: 'Example company',
  line1: '1 Example Street',
  line2: 'Flat 2',
  city: 'London',
  state: 'LND',
  postalCode: 'SW1A 1AA',
  country: 'GB',
  phone: '+442079460000',
}

/** Ids of the shop's own are never 0. */
const noId = 0

const exampleReview = (at: Date): SubmittedReview => ({
  key: '',
  id: noId,
  at,
  review: {
    rating: 5,
    title: 'Example title',
    text: 'Example review',
    name: 'Storeconnect Test',
    images: ['/example-review.jpg'],
    status: 'approved',
    isVerified: true,
  },
  product: line,
  profile: exampleProfile,
})

const exampleOrder = (currency: string, at: Date): Order =>
  completeOrder({
    id: noId,
    number: exampleNumber,
    reference: 'EXAMPLE-1001',
    status: 'processing',
    reason: 'Example reason',
    currency,
    total: 2740,
    shippingAmount: 490,
    discountAmount: 250,
    discountCode: 'EXAMPLE',
    createdAt: at,
    updatedAt: at,
    paymentMethod: 'card',
    customerId: undefined,
    email: exampleProfile.email,
    shippingAddress: address,
    billingAddress: address,
    items: [line],
  })

const isRefund = (happening: OrderHappening): boolean =>
  happening.kind === 'status' && happening.status === refundedStatus

const refunded = (order: Order): Order => ({
  ...order,
  refundedAmount: order.total,
  items: order.items.map((each) => ({ ...each, refundedQuantity: each.quantity })),
})

const exampleCart = (currency: string): CartSnapshot => ({
  id: noId,
  number: exampleNumber,
  lines: [line],
  total: 2500,
  currency,
  // The unique id of Updated Cart contains the moment.
  updatedAt: new Date(0),
})

const parcel = {
  id: 'EXAMPLE1001',
  carrier: 'UPS',
  service: 'Ground',
  trackingNumber: 'EXAMPLE1001',
  estimatedDelivery: '2026-12-01',
}

const happenings = ({
  context: { now: at },
  statuses,
  words,
  tracksParcels,
  reviews,
}: Examples): OrderHappening[] => [
  { kind: 'placed', at },
  ...statuses.map((status): OrderHappening => {
    const isShipped = status === words.shippedStatus
    const parcels = isShipped ? [parcel] : []
    return {
      kind: 'status',
      status,
      label: words.labelOf(status),
      count: 1,
      at,
      parcels,
      isShipped,
    }
  }),
  ...(tracksParcels
    ? parcelStates.map((state): OrderHappening => ({ kind: 'parcel', state, at, parcel }))
    : []),
  ...(reviews.areRequested ? [{ kind: 'reviewable' as const, at }] : []),
]

/** What Klaviyo's script on the pages sends otherwise. */
async function pageSends(cart: CartSnapshot, context: EventContext): Promise<NewSend[]> {
  const { productId = noId, name, slug = '', sku, imageUrl, categories = [], brand = '' } = line
  const product = {
    ...{
      id: productId,
      title: name,
      slug,
      sku,
      description: '',
      image: imageUrl,
      categories,
      brand,
    },
    prices: { [cart.currency]: line.unitPrice },
    compareAtPrices: { [cart.currency]: 1500 },
    stock: undefined,
    variants: undefined,
  }
  const { whole, lines } = await subjectProperties({ kind: 'cart', cart }, context)
  const [item] = lines
  const uniqueId = `${cart.number}:added`
  const events = [
    viewedEvent(product, cart.currency, context),
    ...(whole && item
      ? [addedEvent({ cart, whole, item: item.properties, quantity: 2, uniqueId }, context)]
      : []),
  ]
  return sendsOf(events, context)
}

async function sendsOf(
  events: readonly MarketingEvent[],
  { hooks, log, now: acceptedAt }: EventContext,
): Promise<NewSend[]> {
  const messages = events.map((event) =>
    throughHooks(asExample({ kind: 'event', profile: exampleProfile, event }), {
      ...{ hooks, log },
      about: { example: event.name },
    }),
  )
  return (await Promise.all(messages)).flatMap((message) =>
    message ? { message, key: message.event.uniqueId, acceptedAt } : [],
  )
}
