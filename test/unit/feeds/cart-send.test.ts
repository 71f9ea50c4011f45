import { describe, expect, it } from 'vitest'
import type { Order } from '../../../src/orders/order.js'
import { cartSend } from '../../../src/events/event-sends.js'
import type { EventContext } from '../../../src/events/event-context.js'
import type { CartSnapshot } from '../../../src/events/event-options.js'
import { personOf, type Person } from '../../../src/events/person.js'
import { subjectDetails } from '../../../src/feeds/subject-details.js'
import {
  aCart,
  aContext,
  anOrder,
  eventOf,
  happenedAt,
  messageOf,
  number,
  onlyWithout,
} from './events.js'

const person = { email: 'ada@example.com', firstName: 'Ada' }

const update = (
  changes: { cart?: CartSnapshot; person?: Person } = {},
  context: Partial<EventContext> = {},
) =>
  cartSend(
    { kind: 'updated', cart: aCart(), person, at: happenedAt, ...changes },
    aContext(context),
  )

const begin = (
  changes: { state?: string; person?: Person } = {},
  context: Partial<EventContext> = {},
) =>
  cartSend(
    { kind: 'started', state: 'two-teas', cart: aCart(), person, at: happenedAt, ...changes },
    aContext(context),
  )

describe('a cart', () => {
  it('that changed is Updated Cart with its lines, its total and the link that brings it back', async () => {
    const send = await update({})
    expect(send?.key).toContain(`cart:${number}:cart:${happenedAt.getTime()}:`)
    expect(send?.key).not.toContain('ada')
    expect(messageOf(send).profile).toEqual({ email: 'ada@example.com', firstName: 'Ada' })
    expect(eventOf(send)).toMatchObject({
      name: 'Updated Cart',
      uniqueId: `${number}:cart:${happenedAt.getTime()}`,
      time: happenedAt.toISOString(),
      value: 35,
      valueCurrency: 'USD',
      properties: {
        OrderID: 9,
        OrderNumber: number,
        TotalPrice: 35,
        TotalQuantity: 2,
        ItemNames: ['Green tea'],
        CheckoutURL: `https://shop.example/uk/actions/marketingconnect/cart/restore?number=${number}`,
      },
    })
    expect(eventOf(send).properties.Items).toHaveLength(1)
  })

  it('whose checkout began is Started Checkout, the same for the same content', async () => {
    const send = await begin()
    expect(eventOf(send).name).toBe('Started Checkout')
    expect(eventOf(send).uniqueId).toBe(`${number}:checkout:two-teas`)
    expect((await begin())?.key).toBe(send?.key)
    expect((await begin({ state: 'three-teas' }))?.key).not.toBe(send?.key)
  })

  it('is another send to who has put their email right, under the same id', async () => {
    const right = { email: 'ada@example.org' }
    for (const compose of [update, begin]) {
      const [send, again] = [await compose(), await compose({ person: right })]
      expect(again?.key).not.toBe(send?.key)
      expect(eventOf(again).uniqueId).toBe(eventOf(send).uniqueId)
      expect((await compose({ person: { email: 'ADA@example.com' } }))?.key).toBe(send?.key)
    }
  })

  it('that was emptied is sent as empty', async () => {
    const send = await update({ cart: aCart({ lines: [], total: 0 }) })
    expect(eventOf(send)).toMatchObject({ value: 0, properties: { Items: [], TotalQuantity: 0 } })
  })

  it('of a person without a valid email is not sent, and the log does not name what opens it', async () => {
    const context = aContext()
    const happening = {
      kind: 'updated',
      cart: aCart(),
      person: { email: '' },
      at: happenedAt,
    } as const
    expect(await cartSend(happening, context)).toBeUndefined()
    expect(context.lines).toMatchObject([{ level: 'info', fields: { cartId: 9 } }])
    expect(JSON.stringify(context.lines)).not.toContain(number)
  })

  it('can be switched off by each of its events', async () => {
    expect(await update({}, onlyWithout('updatedCart'))).toBeUndefined()
    expect(await begin({}, onlyWithout('updatedCart'))).toBeDefined()
    expect(await begin({}, onlyWithout('startedCheckout'))).toBeUndefined()
  })
})

describe('the details for an event of the own', () => {
  const orderDetails = (order: Order) =>
    subjectDetails({ kind: 'order', order }, personOf(order), aContext())

  it('are those of the built-in order events, with the customer of the order', async () => {
    const details = await orderDetails(anOrder())
    expect(details).toMatchObject({
      value: 42.5,
      valueCurrency: 'USD',
      properties: { OrderID: 42, OrderReference: 'A-1001', ItemNames: ['Green tea'] },
      customer: { email: 'ada@example.com' },
    })
  })

  it('have no customer where the order has no email, or nobody is known of a cart', async () => {
    const order = await orderDetails(anOrder({ email: '' }))
    expect(order).toMatchObject({ value: 42.5, customer: undefined })
    const cart = await subjectDetails({ kind: 'cart', cart: aCart() }, undefined, aContext())
    expect(cart).toMatchObject({ value: 35, customer: undefined })
    expect(cart?.properties).toHaveProperty('CheckoutURL')
  })
})
