import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { kindOf } from '../../../src/marketing/delivery/send.js'
import { anOrder, aPurchase } from '../../support/orders.js'
import { createProduct } from '../../support/products.js'
import { anyKind } from '../../support/store.js'
import type { TestBrowser } from '../../support/browser.js'
import { eventShop } from '../feeds/event-shop.js'
import { anOffer } from './consent-offer.js'

const asked = { email: 'Send me the tea letter.', sms: 'Text me.', version: '2026-03' }
const phone = '+44 7400 123456'
const grace = 'grace@example.com'
const everything = { 'consent[email]': '1', 'consent[sms]': '1', 'consent[phone]': phone }

type Data = Record<string, unknown>

const textOf = (offer: object) => Buffer.from(JSON.stringify(offer)).toString('base64url')

describe('Consent at the checkout', () => {
  let tea: number
  let offer: string
  let browser: TestBrowser
  const hooks = { isKeptBack: false }

  const shop = eventShop(anyKind, {
    options: {
      marketing: {
        settings: { consentList: 'WELCOME' },
        beforeProfile: (profile) => (hooks.isKeptBack ? false : profile),
      },
    },
  })
  beforeAll(async () => {
    offer = anOffer(shop)
    tea = await createProduct(shop.payload, { inventory: 1000 })
  })
  beforeEach(async () => {
    hooks.isKeptBack = false
    browser = shop.aBrowser()
    await post({ productId: String(tea) })
  })

  const post = (fields: Record<string, string>) =>
    browser.post('/actions/commerce/cart/update-cart', fields, { ajax: true })
  const answer = async (fields: Record<string, string>) => {
    const response = await post({ 'consent[offer]': offer, email: grace, ...fields })
    expect(response.status, await response.clone().text()).toBe(200)
  }
  const cart = async () => {
    const { cartId = '' } = await browser.session()
    const found = await shop.payload.findByID({ collection: 'carts', id: cartId, depth: 0 })
    return found as Data & { id: number; secret: string; consent: Record<'email' | 'sms', Data> }
  }
  const buy = async () => {
    const purchase = aPurchase(await cart(), grace)
    for (const step of ['initiate', 'confirm-order']) {
      const response = await shop.aBrowser().apiPost(`/payments/demo/${step}`, purchase)
      expect(response.status, await response.clone().text()).toBe(200)
    }
    const { docs } = await shop.payload.find({ collection: 'orders', sort: '-createdAt', limit: 1 })
    return docs[0] as unknown as Data & { number: string; consent: Record<'email' | 'sms', Data> }
  }
  const subscriptions = async () =>
    (await shop.reported()).flatMap(({ message, key }) =>
      message.kind === 'subscribe' ? [{ ...message, key, as: kindOf(message) }] : [],
    )

  it('is kept with the cart: wording, version, moment and page', async () => {
    await answer({ 'consent[email]': '1', 'consent[phone]': phone })
    const { consent } = await cart()
    const { version } = asked
    const page = 'https://shop.example/checkout'
    expect(consent.email).toMatchObject({ given: true, wording: asked.email, version, page })
    expect(consent.sms).toMatchObject({ given: false, wording: asked.sms, version, phone: '' })
    expect(new Date(String(consent.email.at)).getTime()).toBe(shop.now())
  })

  it('goes to the order and, with its first event and once, to the list of the settings', async () => {
    await answer(everything)
    const { consent } = await cart()
    const order = await buy()
    expect(order.consent).toEqual(consent)
    const at = new Date(String(consent.email.at)).toISOString()
    const told = {
      kind: 'subscribe',
      as: 'consent',
      key: `order:${order.number}:consent`,
      profile: { email: grace, phoneNumber: '+447400123456' },
      list: 'WELCOME',
      channels: ['email', 'sms'],
      basis: 'explicit',
      consentedAt: { email: at, sms: at },
    }
    expect(await subscriptions()).toEqual([told])
    const kinds = (await shop.reported()).map(({ message }) => message.kind)
    expect(kinds.indexOf('subscribe')).toBeGreaterThan(kinds.indexOf('event'))
    // A feed that begins anew also sends other orders of this test store.
    await shop.restartFeeds()
    expect((await subscriptions()).filter(({ key }) => key === told.key)).toEqual([told])
  })

  it('is sent with a moment that has passed, though the clock that took it was an hour ahead', async () => {
    shop.setClock(3_600_000)
    await answer(everything)
    shop.setClock(-3_600_000)
    const { consent } = await buy()
    const taken = Date.parse(String(consent.email.at))
    const [sent] = await subscriptions()
    const moments = Object.values(sent?.consentedAt ?? {}).map((at) => Date.parse(at))
    expect(moments).toHaveLength(2)
    expect(Math.max(...moments)).toBeLessThan(taken - 1_800_000)
  })

  it('is not copied with the order, as a copy proves nothing', async () => {
    await answer(everything)
    const { id } = (await buy()) as unknown as { id: number }
    const copy = (await shop.payload.duplicate({ collection: 'orders', id })) as unknown as Data
    const { email, sms } = copy.consent as Record<'email' | 'sms', Data>
    const values = [...Object.values(email), ...Object.values(sms)]
    expect(values.filter(Boolean)).toEqual([])
    const keys = (await subscriptions()).map(({ key }) => key)
    expect(keys).not.toContain(`order:${String(copy.number)}:consent`)
  })

  it('is not told when the shopper took it back before buying', async () => {
    await answer(everything)
    await answer({})
    const order = await buy()
    expect(order.consent.email).toMatchObject({ given: false, wording: asked.email })
    expect(await subscriptions()).toEqual([])
  })

  it('is told for email alone when the number is not in international format', async () => {
    await answer({ ...everything, 'consent[phone]': '07400 123456' })
    const order = await buy()
    expect(order.consent.sms).toMatchObject({ given: true, phone: '07400 123456' })
    expect(await subscriptions()).toMatchObject([{ channels: ['email'] }])
  })

  it('is told even when every event is switched off, and only kept while the settings name no list', async () => {
    const events = ['placedOrder', 'orderedProduct', 'statusChanged', 'refundedOrder']
    const settings = (isOn: boolean, consentList = 'WELCOME') => {
      const builtInEvents = Object.fromEntries(events.map((name) => [name, isOn]))
      const data = { builtInEvents, consentList }
      return shop.payload.updateGlobal({ slug: 'marketing-settings', data })
    }
    await settings(false)
    await answer(everything)
    await buy()
    expect(await subscriptions()).toHaveLength(1)

    await shop.loseSends()
    await settings(true, '')
    await post({ productId: String(tea) })
    await answer(everything)
    expect((await buy()).consent.email).toMatchObject({ given: true })
    expect(await subscriptions()).toEqual([])
  })

  it('is not told of somebody whom beforeProfile keeps back', async () => {
    hooks.isKeptBack = true
    await answer(everything)
    await buy()
    expect(await subscriptions()).toEqual([])
  })

  it('is not told of an order that an import wrote', async () => {
    const proof = { given: true, wording: 'Yes', version: '1', at: '2020-01-01T00:00:00.000Z' }
    const imported = (await shop.payload.create({
      collection: 'orders',
      data: anOrder({ consent: { email: proof } }),
      context: { storeconnect: 'import' },
    })) as unknown as Data
    expect(imported.consent).toMatchObject({ email: proof })
    await shop.restartFeeds()
    const keys = (await subscriptions()).map(({ key }) => key)
    expect(keys).not.toContain(`order:${String(imported.number)}:consent`)
  })

  it.each([
    ['is not signed', () => textOf({ ...asked, page: '/' })],
    ['is signed for another text', () => `${offer.split('.')[0]}.${textOf({})}`],
    ['is no text of ours', () => 'nonsense'],
  ])('is refused when its offer %s, and the cart stays as it is', async (_, forged) => {
    const response = await post({
      'consent[offer]': forged(),
      'consent[email]': '1',
      productId: String(tea),
    })
    expect(response.status).toBe(400)
    const { consent, items } = await cart()
    expect(consent.email.given ?? null).toBeNull()
    expect((items as Data[])[0]?.quantity).toBe(1)
  })

  it.each(['text', '1'])('is not looked for in a parameter "consent" that is %j', async (text) => {
    expect((await post({ consent: text })).status).toBe(200)
    expect((await cart()).consent.email.given ?? null).toBeNull()
  })

  it('cannot be written through the API, neither with a new cart nor with one that is there', async () => {
    const proof = { given: true, wording: 'Anything', version: '1' }
    const made = await shop.aBrowser().apiPost('/carts', { items: [], consent: { email: proof } })
    const { doc } = (await made.json()) as { doc: { id: number; consent?: Record<string, Data> } }
    const stored = await shop.payload.findByID({ collection: 'carts', id: doc.id, depth: 0 })
    const { consent } = stored as unknown as { consent: Record<string, Data> }
    expect(consent.email?.wording ?? null).toBeNull()
  })
})
