import type { Address, LineItem, Order } from '../../../../src/shop/orders/order.js'
import { completeOrder } from '../../../../src/shop/orders/order-values.js'
import { defaultProductUrl } from '../../../../src/shop/sites/site.js'
import type { NewSend } from '../../../../src/marketing/delivery/send.js'
import type { EventMessage } from '../../../../src/marketing/klaviyo/message.js'
import type { EventContext } from '../../../../src/marketing/events/event-context.js'
import type { OrderHappening, Parcel } from '../../../../src/shop/orders/happening.js'
import type { CartSnapshot } from '../../../../src/marketing/events/event-options.js'
import { aSite } from '../../shop/sites/a-site.js'
import { defaultMarketingSettings } from '../../../support/default-settings.js'

export const number = '0123456789abcdef0123456789abcdef'
export const happenedAt = new Date('2026-07-15T11:58:00Z')

export const anAddress = (changes: Partial<Address> = {}): Address => ({
  name: 'Ada Lovelace',
  firstName: 'Ada',
  lastName: 'Lovelace',
  company: '',
  line1: '12 St James Square',
  line2: '',
  city: 'London',
  state: 'LND',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
  phone: '+442079460000',
  ...changes,
})

export const aLine = (changes: Partial<LineItem> = {}): LineItem => ({
  id: 'line-1',
  productId: 7,
  slug: 'green-tea',
  sku: 'TEA-1',
  name: 'Green tea',
  quantity: 2,
  unitPrice: 1750,
  weight: 250,
  weightUnit: 'g',
  imageUrl: '/media/tea.png',
  options: [{ name: 'Size', value: 'Large' }],
  ...changes,
})

export const anOrder = (changes: Partial<Order> = {}): Order => ({
  ...completeOrder({
    id: 42,
    number,
    siteId: 1,
    reference: 'A-1001',
    status: 'processing',
    currency: 'USD',
    total: 4250,
    taxAmount: 250,
    shippingAmount: 500,
    createdAt: happenedAt,
    updatedAt: happenedAt,
    paymentMethod: 'card',
    shippingMethod: 'Standard',
    customerId: undefined,
    email: 'ada@example.com',
    shippingAddress: anAddress(),
    billingAddress: undefined,
    items: [aLine()],
    internalNotes: 'secret of the staff',
  }),
  ...changes,
})

export const aCart = (changes: Partial<CartSnapshot> = {}): CartSnapshot => ({
  id: 9,
  number,
  lines: [aLine()],
  total: 3500,
  currency: 'USD',
  updatedAt: happenedAt,
  ...changes,
})

export const aParcel = (changes: Partial<Parcel> = {}): Parcel => ({
  id: '1Z999',
  carrier: 'UPS',
  service: 'Ground',
  trackingNumber: '1Z999',
  ...changes,
})

export const placed: OrderHappening = { kind: 'placed', at: happenedAt }

export const entered = (
  status: string,
  changes: Partial<OrderHappening & { kind: 'status' }> = {},
): OrderHappening => ({
  kind: 'status',
  status,
  label: status.charAt(0).toUpperCase() + status.slice(1),
  count: 1,
  at: happenedAt,
  parcels: [],
  isShipped: status === 'shipped',
  ...changes,
})

export interface LoggedLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  fields: Record<string, unknown>
  sentence: string
}

/** A context with the lines that are logged. */
export function aContext(changes: Partial<EventContext> = {}): EventContext & {
  lines: LoggedLine[]
} {
  const lines: LoggedLine[] = []
  const write = (level: LoggedLine['level']) => (fields: LoggedLine['fields'], sentence: string) =>
    void lines.push({ level, fields, sentence })
  return {
    eventPrefix: '',
    builtInEvents: defaultMarketingSettings.builtInEvents,
    statusEvents: [],
    site: aSite({ handle: 'main', baseUrl: 'https://shop.example/uk' }),
    baseUrl: 'https://shop.example/uk',
    productUrl: defaultProductUrl,
    checkoutUrl: `https://shop.example/uk/actions/marketingconnect/cart/restore?number=${number}`,
    hooks: {},
    now: new Date('2026-07-15T12:00:00Z'),
    log: {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    },
    lines,
    ...changes,
  }
}

/** The context with one switch turned. */
export const onlyWithout = (...events: (keyof EventContext['builtInEvents'])[]) => ({
  builtInEvents: {
    ...defaultMarketingSettings.builtInEvents,
    ...Object.fromEntries(events.map((event) => [event, false])),
  },
})

export const messageOf = (send: NewSend | undefined): EventMessage => {
  if (send?.message.kind !== 'event') throw new Error('No event was made.')
  return send.message
}

export const eventOf = (send: NewSend | undefined) => messageOf(send).event

/** Names and ids, in order. */
export const namesAndIds = (sends: readonly NewSend[]) =>
  sends.map((send) => [eventOf(send).name, eventOf(send).uniqueId])
