import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MarketingOptions } from '../../../src/plugin/options.js'
import { createProduct } from '../../support/products.js'
import { anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { anyKind } from '../../support/store.js'
import type { TestBrowser } from '../../support/browser.js'
import { eventShop } from './event-shop.js'

const zofia = { email: 'zofia@shop.example', password: 'green tea, no sugar' }

describe('An order event of a post', () => {
  let browser: TestBrowser
  let tea: number
  let zofiaId: number

  const orderProperties: MarketingOptions['orderProperties'] = (properties, about) =>
    about.kind === 'order' && about.order.internalNotes === 'kept back' ? false : properties
  const shop = eventShop(anyKind, { options: { marketing: { orderProperties } } })
  beforeAll(async () => {
    tea = await createProduct(shop.payload)
    zofiaId = Number((await shop.payload.create({ collection: 'users', data: zofia })).id)
  })
  beforeEach(() => {
    browser = shop.aBrowser()
  })

  const save = (changes: Record<string, unknown> = {}) =>
    saveOrder(shop.payload, anOrder(changes), { context: { storeconnect: 'import' } })
  const fillCart = async () => {
    const body = { productId: String(tea), qty: '2' }
    const answer = await browser.post('/actions/commerce/cart/update-cart', body, { ajax: true })
    return (await answer.json()) as Pick<SavedOrder, 'id' | 'number'>
  }
  const track = async (parameters: Record<string, string>) => {
    const answer = await browser.track({
      email: 'post@example.com',
      'event[name]': 'Asked',
      'event[trackOrder]': '1',
      ...parameters,
    })
    expect(await answer.json()).toBe('success')
  }
  const sentEvents = async () =>
    (await shop.reported()).flatMap(({ message }) =>
      message.kind === 'event'
        ? [{ email: message.profile.email, ...message.event, properties: message.event.properties }]
        : [],
    )
  const expectNotFound = async () => {
    expect(await sentEvents()).toEqual([])
    expect(shop.log.text()).toContain('Order not found: event not tracked')
  }

  it('event[orderNumber]: order to send, by number; works for guests, sends no custom properties', async () => {
    const { number } = await save()
    await track({ 'event[orderNumber]': number, 'event[Colour]': 'Green' })
    expect(await sentEvents()).toMatchObject([
      { name: 'Asked', value: 42.5, properties: { OrderNumber: number, TotalQuantity: 2 } },
    ])
    expect((await sentEvents())[0]?.properties).not.toHaveProperty('Colour')
  })

  it('event[orderNumber] of a cart sends that cart', async () => {
    const { number } = await fillCart()
    browser = shop.aBrowser()
    await track({ 'event[orderNumber]': number })
    expect(await sentEvents()).toMatchObject([{ value: 25, properties: { OrderNumber: number } }])
  })

  it('when the order has an email the event goes to its customer instead of the posted profile', async () => {
    const { number } = await save({ customerEmail: 'customer@example.com' })
    await track({ 'event[orderNumber]': number })
    expect(await sentEvents()).toMatchObject([{ email: 'customer@example.com' }])
    const kinds = (await shop.reported()).map(({ message }) => [
      message.kind,
      message.profile.email,
    ])
    expect(kinds).toContainEqual(['identify', 'post@example.com'])
  })

  it('without orderNumber or orderId the current cart is sent; event[orderId] accepts the current cart', async () => {
    const { id, number } = await fillCart()
    await track({})
    await track({ 'event[orderId]': String(id) })
    const sent = {
      email: 'post@example.com',
      properties: { OrderNumber: number, TotalQuantity: 2 },
    }
    expect(await sentEvents()).toMatchObject([sent, sent])
    expect((await sentEvents())[0]?.properties.CheckoutURL).toContain(number)
  })

  it('order not found: event not tracked, error written to the log, no error to the visitor', async () => {
    const number = 'f'.repeat(32)
    for (const of of [{}, { 'event[orderNumber]': number }]) {
      shop.log.clear()
      await track(of)
      await expectNotFound()
    }
    expect(shop.log.text()).not.toContain(number)
  })

  it("event[orderId] accepts an order of the logged-in user, event[orderId] accepts nobody else's order, and none of a guest", async () => {
    const [other, own] = [await save(), await save({ customer: zofiaId, customerEmail: undefined })]
    await track({ 'event[orderId]': String(own.id) })
    await expectNotFound()
    await browser.post('/actions/users/login', zofia, { ajax: true })
    await track({ 'event[orderId]': String(other.id) })
    await track({ 'event[orderId]': 'no id' })
    await expectNotFound()
    await track({ 'event[orderId]': String(own.id) })
    expect(await sentEvents()).toMatchObject([
      { email: zofia.email, properties: { OrderNumber: own.number } },
    ])
  })

  it.each([
    ['orderNumber', 'event[orderNumber][]'],
    ['orderId', 'event[orderId][no]'],
  ])('event[%s] that cannot be read is no order, and not the current cart', async (_, name) => {
    await fillCart()
    await track({ [name]: '1' })
    await expectNotFound()
  })

  it('that the store keeps back is not tracked, which is no error', async () => {
    const { number } = await save({ internalNotes: 'kept back' })
    await track({ 'event[orderNumber]': number })
    expect(await sentEvents()).toEqual([])
    const [line] = shop.log.lines().filter(({ msg }) => msg.includes('event not tracked'))
    expect(line).toMatchObject({ level: 30, msg: 'Order kept back: event not tracked' })
  })

  it('without an own unique id is a new one on every post, with one it is recorded once', async () => {
    const { number } = await save()
    await track({ 'event[orderNumber]': number })
    await track({ 'event[orderNumber]': number })
    expect(new Set((await sentEvents()).map(({ uniqueId }) => uniqueId)).size).toBe(2)
    await shop.loseSends()
    await track({ 'event[orderNumber]': number, 'event[unique_id]': 'mine' })
    await track({ 'event[orderNumber]': number, 'event[unique_id]': 'mine' })
    expect(new Set((await sentEvents()).map(({ uniqueId }) => uniqueId))).toEqual(new Set(['mine']))
  })
})
