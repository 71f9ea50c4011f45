import { beforeAll, describe, expect, it } from 'vitest'
import { eventShop, openEventShop } from '../feeds/event-shop.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { anyKind } from '../../support/store.js'

describe('What a form posts is never taken for the shop’s own', () => {
  const shop = eventShop(anyKind, { config: { serverURL: 'https://shop.example' } })
  beforeAll(async () => {
    const sites = [
      { handle: 'main', baseUrl: 'https://tea.example/uk', enabled: true, primary: true },
      { handle: 'closed', baseUrl: 'https://closed.example', enabled: false },
    ]
    for (const site of sites) {
      await shop.payload.create({ collection: 'sites', data: { name: site.handle, ...site } })
    }
  })

  const track = async (
    parameters: Record<string, string>,
    headers: Record<string, string> = {},
  ) => {
    const browser = shop.aBrowser()
    const answer = await browser.track(
      { email: 'customer@example.com', ...parameters },
      { headers },
    )
    expect(await answer.json()).toBe('success')
  }
  const tracked = async (parameters: Record<string, string>, headers?: Record<string, string>) => {
    await shop.loseSends()
    await track(parameters, headers)
    return (await shop.events())[0]
  }
  const posting = (id: string) => ({ 'event[name]': 'Placed Order', 'event[unique_id]': id })
  const idOf = async (id: string) => (await tracked(posting(id)))?.uniqueId ?? ''
  const save = (changes: Record<string, unknown> = {}) => saveOrder(shop.payload, anOrder(changes))

  it('a posted id of an order that is not placed yet keeps none of its events from being recorded', async () => {
    const number = '0123456789abcdef0123456789abcdef'
    const forged = [number, `${number}:65f1c0ffee65f1c0ffee65f1`, `${number}:shipped:1`]
    for (const id of forged) await track(posting(id))
    const taken = new Set((await shop.events()).map(({ uniqueId }) => uniqueId))
    expect(taken.size).toBe(forged.length)

    await shop.loseSends()
    const { id } = await save({ number })
    await shop.update('orders', id, { status: 'cancelled' })
    const own = (await shop.events()).map(({ uniqueId }) => uniqueId)
    expect(own).toContain(number)
    expect(own.filter((uniqueId) => taken.has(uniqueId))).toEqual([])
  })

  it.each([
    ['a number in capitals', '0123456789ABCDEF0123456789ABCDEF'],
    ['a number among white space', ' \t0123456789abcdef0123456789abcdef\n'],
    ['a number and a control character', '0123456789abcdef0123456789abcdef\u0001'],
    ['a number with a character that nobody sees', '0123456789abcdef\u200b0123456789abcdef'],
    ['a number in wide digits', '０１２３456789abcdef0123456789abcdef'],
    ['the id of an order without a number', '17'],
    ['the id of an order of a store with UUIDs', 'd9428888-122b-11e1-b85c-61cd3cbb3210'],
    ['a cart that is reported', '0123456789abcdef0123456789abcdef:cart:1773144000000'],
    ['a checkout', '0123456789abcdef0123456789abcdef:checkout:two-teas'],
    ['the digest of a long id', 'a'.repeat(43)],
    ['an id that a form has already', 'form:17'],
  ])('an id such as %s becomes one that the shop never uses, always the same', async (_, id) => {
    const event = await tracked({ ...posting(id), 'event[$event_id]': '17' })
    expect(event?.uniqueId).toMatch(/^form:.{1,250}$/s)
    expect(await idOf(id)).toBe(event?.uniqueId)
    // By the platform’s older name, too.
    expect(event?.properties).toEqual({ $event_id: 'form:17' })
  })

  it('an id that is too long to be sent is not the one that the shop would send for it', async () => {
    const order = await save()
    const trackingNumber = 'T'.repeat(250)
    await shop.ship(order.reference, { tracking_number: trackingNumber })
    const [, , own] = await shop.events()
    expect(own?.uniqueId).toHaveLength(43)
    expect(await idOf(`${order.number}:${trackingNumber}`)).not.toBe(own?.uniqueId)
  })

  it('an event about an order cannot take its id either', async () => {
    const { number } = await save()
    await shop.loseSends()
    await track({ ...posting(number), 'event[trackOrder]': '1', 'event[orderNumber]': number })
    expect((await shop.events()).map(({ uniqueId }) => uniqueId)).toEqual([`form:${number}`])
  })

  it.each([
    'https://evil.example/',
    'https://tea.example@evil.example/',
    'https://tea.example:8443/uk',
    'https://someone:secret@tea.example/uk',
    'http://tea.example/uk',
    'https://closed.example/cart',
    'https://tea.example.evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/uk/cart',
    'javascript:alert(1)//https://tea.example/',
    'data:text/html,x',
    'blob:https://tea.example/1',
    'null',
    '',
  ])('a CheckoutURL of %j is left out, and the log says which', async (url) => {
    const event = await tracked({ 'event[name]': 'Started Checkout', 'event[CheckoutURL]': url })
    expect(event).toMatchObject({ name: 'Started Checkout', properties: {} })
    expect(event?.properties).toEqual({})
    expect(shop.log.text()).toContain('event[CheckoutURL]')
    if (url !== '') expect(shop.log.text()).not.toContain(url)
  })

  it('nor does the host that the request itself names count as the store’s', async () => {
    const url = { 'event[name]': 'Started Checkout', 'event[CheckoutURL]': 'https://evil.example/' }
    expect((await tracked(url, { host: 'evil.example' }))?.properties).toEqual({})
  })

  it('everything that the docs tell merchants to link to is held to that, wherever it is', async () => {
    const evil = 'https://evil.example/'
    const event = await tracked({
      'event[name]': 'Started Checkout',
      'event[Topic]': evil,
      'event[checkouturl]': evil,
      'event[Checkout_URL][]': evil,
      'event[TrackingURL]': evil,
      'event[ProductURL][href]': evil,
      'event[Items][0][ProductName]': 'Tea',
      'event[Items][0][ProductURL]': evil,
      'event[Items][0][ImageURL]': 'https://tea.example/tea.png',
      'event[Items][1][Parts][0][ImageURL]': evil,
    })
    expect(event?.properties).toEqual({
      Topic: evil,
      Items: [{ ProductName: 'Tea', ImageURL: 'https://tea.example/tea.png' }, { Parts: [{}] }],
    })
  })

  it.each([
    ['https://tea.example/uk/cart?number=1', 'https://tea.example/uk/cart?number=1'],
    ['HTTPS://TEA.example:443/uk', 'https://tea.example/uk'],
    ['https://tea.example\\@evil.example/', 'https://tea.example/@evil.example/'],
    ['https://shop.example/cart', 'https://shop.example/cart'],
  ])('a link into the store stays: %s', async (url, sent) => {
    const event = await tracked({ 'event[name]': 'Started Checkout', 'event[CheckoutURL]': url })
    expect(event?.properties).toEqual({ CheckoutURL: sent })
  })
})

it('A store whose orders are numbered by its own rules sends no posted id as it is', async () => {
  const orders = { map: (order: unknown) => order as never }
  const shop = await openEventShop(anyKind, { options: { orders } })
  const browser = shop.aBrowser()
  const fields = { email: 'ann@example.com', 'event[name]': 'Asked', 'event[unique_id]': 'INV-1' }
  await browser.post('/actions/marketingconnect/api/track', fields)
  expect((await shop.events()).map(({ uniqueId }) => uniqueId)).toEqual(['form:INV-1'])
})
