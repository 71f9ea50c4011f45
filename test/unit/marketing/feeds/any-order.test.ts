import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Order } from '../../../../src/shop/orders/order.js'
import { invalidEvent } from '../../../../src/marketing/klaviyo/invalid.js'
import type { OrderHappening } from '../../../../src/shop/orders/happening.js'
import { cartSend, orderSends } from '../../../../src/marketing/events/event-sends.js'
import { arbitraryOrder, nastyText } from '../../../support/arbitrary-order.js'
import { propertyRuns, propertyTimeoutMs } from '../../../support/property-runs.js'
import { aContext, entered, messageOf, number, placed } from './events.js'

const order: fc.Arbitrary<Order> = fc
  .record({
    order: arbitraryOrder,
    email: fc.constantFrom('ada@example.com', 'Ada+tea@shop.at'),
    slug: nastyText(2500),
    productId: fc.oneof(fc.integer(), fc.uuid()),
  })
  .map(({ order, email, slug, productId }) => ({
    ...order,
    number,
    email,
    items: order.items.map((line, index) => ({ ...line, id: `l${index}`, productId, slug })),
  }))

const happenings: fc.Arbitrary<OrderHappening[]> = fc
  .record({ status: nastyText(20), label: nastyText(20), parcel: nastyText(400) })
  .map(({ status, label, parcel }) => [
    placed,
    entered('refunded'),
    entered(status, { label }),
    entered('shipped', {
      parcels: [{ id: parcel, carrier: parcel, service: parcel, trackingNumber: parcel }],
    }),
  ])

/** An order makes several events, each twice. */
const runs = { numRuns: Math.ceil(propertyRuns / 40) }

/** Whether a value holds anything that no JSON document and no database could bring back. */
const unspeakable = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) ||
  (typeof value === 'number' && !Number.isFinite(value)) ||
  (typeof value === 'object' && value !== null && Object.values(value).some(unspeakable))

describe('whatever an order holds', () => {
  it(
    'its events are the same for the same, hold nothing unspeakable, and fit the platform',
    async () => {
      await fc.assert(
        fc.asyncProperty(order, happenings, async (order, happenings) => {
          const report = () => orderSends(order, happenings, aContext())
          const sends = await report()
          expect(await report()).toEqual(sends)
          expect(sends.length).toBeGreaterThanOrEqual(3 + order.items.length)
          expect(new Set(sends.map(({ key }) => key)).size).toBe(sends.length)
          for (const send of sends) {
            expect(unspeakable(send)).toBe(false)
            expect(JSON.parse(JSON.stringify(send.message))).toEqual(send.message)
            expect(invalidEvent(messageOf(send))).toBeUndefined()
          }
        }),
        runs,
      )
    },
    propertyTimeoutMs,
  )

  it(
    'a cart with its lines holds nothing unspeakable either',
    async () => {
      await fc.assert(
        fc.asyncProperty(order, async ({ items: lines, total, currency }) => {
          const cart = { id: 1, number, lines, total, currency, updatedAt: new Date(0) }
          const person = { email: 'ada@example.com' }
          const happening = { kind: 'started', state: 'it', cart, person, at: new Date(0) } as const
          const send = await cartSend(happening, aContext())
          expect(unspeakable(messageOf(send))).toBe(false)
          expect(invalidEvent(messageOf(send))).toBeUndefined()
        }),
        runs,
      )
    },
    propertyTimeoutMs,
  )
})
