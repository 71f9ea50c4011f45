import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestBrowser } from '../../support/browser.js'
import { eventShop, openEventShop } from '../feeds/event-shop.js'
import { createProduct } from '../../support/products.js'
import { aPurchase } from '../../support/orders.js'
import { anyKind } from '../../support/store.js'

const path = '/actions/marketingconnect/onsite/visitor'
const grace = 'kx-Grace_1.SITEID='

interface Summary {
  id: number
  number: string
}

describe('marketingconnect/onsite/visitor', () => {
  let browser: TestBrowser
  let tea: number
  const account = { email: 'ada@example.com', password: 'correct horse battery' }

  const settings = { publicApiKey: 'SITEID', postsPerAddress: 3 }
  const shop = eventShop(anyKind, { options: { marketing: { settings } } })
  beforeAll(async () => {
    tea = await createProduct(shop.payload, { inventory: 100 })
    await shop.payload.create({ collection: 'users', data: account })
  })
  beforeEach(() => {
    browser = shop.aBrowser()
  })

  const tell = (parameters: Record<string, string>, from = browser, address = '10.0.0.1') =>
    from.post(path, parameters, { ajax: true, address })
  const consent = async (exchangeId?: string) => {
    const response = await tell({ consent: '1', ...(exchangeId && { _kx: exchangeId }) })
    expect([response.status, await response.text()]).toEqual([200, '"success"'])
  }
  const add = async (from = browser): Promise<Summary> => {
    const parameters = { productId: String(tea) }
    const response = await from.post('/actions/commerce/cart/update-cart', parameters, {
      ajax: true,
    })
    return (await response.json()) as Summary
  }
  const stored = ({ id }: Summary) =>
    shop.payload.findByID({ collection: 'carts', id, depth: 0 }) as unknown as Promise<
      Record<string, unknown>
    >
  /** Whose the events of a cart that was left alone are. */
  const peopleOf = async ({ number }: Summary) => {
    await shop.leaveCarts()
    return (await shop.reported()).flatMap(({ message }) =>
      message.kind === 'event' && message.event.uniqueId.startsWith(number)
        ? [[message.event.name, message.profile]]
        : [],
    )
  }

  it('makes the cart of a guest somebody’s, whether it was there before, is new, or is the extension’s', async () => {
    const before = await add()
    expect(await peopleOf(before)).toEqual([])
    await consent(grace)
    expect(await peopleOf(before)).toEqual([['Updated Cart', { exchangeId: grace }]])

    browser = shop.aBrowser()
    await consent(grace)
    expect(await peopleOf(await add())).toEqual([['Updated Cart', { exchangeId: grace }]])

    browser = shop.aBrowser()
    await consent(grace)
    const data = { items: [{ product: tea, quantity: 2 }], currency: 'USD' }
    const response = await browser.apiPost('/carts', data)
    const { doc } = (await response.json()) as { doc: Summary & Record<string, unknown> }
    expect([response.status, doc.exchangeId]).toEqual([201, undefined])
    expect(await stored(doc)).toMatchObject({ exchangeId: grace, subtotal: 2500 })
    expect(await peopleOf(doc)).toEqual([['Updated Cart', { exchangeId: grace }]])
  })

  it('sends a cart with the same contents once, and again when its person has an email', async () => {
    await consent(grace)
    const cart = await add()
    await peopleOf(cart)
    await shop.update('carts', cart.id, {})
    expect(await peopleOf(cart)).toHaveLength(1)
    await browser.post('/actions/users/login', account)
    const [, second] = await peopleOf(cart)
    expect(second).toMatchObject(['Updated Cart', { email: account.email }])
    expect(second?.[1]).not.toHaveProperty('exchangeId')
    expect(await stored(cart)).toMatchObject({ exchangeId: null })
  })

  it('makes it that of the email once one is entered at the checkout', async () => {
    await consent(grace)
    const cart = await add()
    const { secret } = await stored(cart)
    const purchase = aPurchase({ ...cart, secret }, 'g@example.com')
    expect((await shop.aBrowser().apiPost('/payments/demo/initiate', purchase)).status).toBe(200)
    const people = await peopleOf(cart)
    expect(people).toMatchObject([
      ['Started Checkout', { email: 'g@example.com' }],
      ['Updated Cart', { email: 'g@example.com' }],
    ])
    expect(JSON.stringify(people)).not.toContain(grace)
  })

  it('tells of a checkout that has no email', async () => {
    await consent(grace)
    const cart = await add()
    const data = { cart: cart.id, currency: 'USD', paymentMethod: 'invoice' }
    await shop.payload.create({ collection: 'transactions', data })
    expect(await peopleOf(cart)).toEqual([
      ['Started Checkout', { exchangeId: grace }],
      ['Updated Cart', { exchangeId: grace }],
    ])
  })

  it('gives no cart of an account to whom the visitor names', async () => {
    await browser.post('/actions/users/login', account)
    const cart = await add()
    await consent(grace)
    await add()
    expect((await stored(cart)).exchangeId).toBeNull()
    expect(await peopleOf(cart)).toMatchObject([['Updated Cart', { email: account.email }]])
  })

  it('leaves a guest’s cart alone that the session of a customer names', async () => {
    const cart = await add(shop.aBrowser())
    await browser.post('/actions/users/login', account)
    await browser.changeSession({ cartId: cart.id })
    await consent(grace)
    expect(await stored(cart)).toMatchObject({ exchangeId: null, customer: null })
  })

  it('forgets the visitor when the consent is taken back', async () => {
    const former = await add()
    await consent(grace)
    const current = await add(shop.aBrowser())
    await browser.changeSession({ cartId: current.id, formerCartIds: [former.id] })
    await add()
    const carts = [former, current]
    for (const cart of carts) expect((await stored(cart)).exchangeId).toBe(grace)
    expect((await tell({ consent: '0' })).status).toBe(200)
    expect(await browser.session()).not.toHaveProperty('exchangeId')
    expect(await browser.session()).not.toHaveProperty('hasOnsiteConsent')
    for (const cart of carts) {
      expect((await stored(cart)).exchangeId).toBeNull()
      expect(await peopleOf(cart)).toEqual([])
    }
    await add()
    expect((await stored(current)).exchangeId).toBeNull()
  })

  it('knows the consent of a visitor whom Klaviyo does not know, and keeps who they are until the logout', async () => {
    await consent()
    expect(await browser.session()).toMatchObject({ hasOnsiteConsent: true })
    expect(await peopleOf(await add())).toEqual([])
    await consent(grace)
    // A later page does not say it.
    await consent()
    expect(await browser.session()).toMatchObject({ exchangeId: grace })
    await browser.post('/actions/users/login', account)
    await browser.post('/actions/users/logout')
    expect(await browser.session()).not.toHaveProperty('exchangeId')
  })

  it.each([
    ['a blank', ''],
    ['a long', 'k'.repeat(201)],
    ['a strange', 'kx<script>'],
    ['a split', 'kx\nSet-Cookie: a=b'],
  ])('refuses %s exchange id and keeps nothing of it', async (_, exchangeId) => {
    const cart = await add()
    const response = await tell({ consent: '1', _kx: exchangeId })
    expect([response.status, response.headers.get('x-error-code')]).toEqual([
      400,
      'PARAMETER_INVALID',
    ])
    expect(await browser.session()).not.toHaveProperty('hasOnsiteConsent')
    expect((await stored(cart)).exchangeId).toBeNull()
  })

  it('asks for a clear consent, and counts as a post for the throttle', async () => {
    const statuses: number[] = []
    for (const consent of ['', 'yes', '1', '1']) statuses.push((await tell({ consent })).status)
    expect(statuses).toEqual([400, 400, 200, 429])
    expect((await tell({ _kx: grace }, browser, '10.0.1.1')).status).toBe(400)
  })

  it('takes no post of another site, and none without the token', async () => {
    const fields = { consent: '1', _kx: grace }
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const foreign = await browser.post(path, fields, { headers })
    const bare = await browser.post(path, fields, { token: null })
    expect([foreign, bare].map((answer) => answer.headers.get('x-error-code'))).toEqual([
      'ORIGIN_FOREIGN',
      'CSRF_INVALID',
    ])
    expect((await browser.get(path)).status).toBe(405)
    expect(await browser.session()).not.toHaveProperty('hasOnsiteConsent')
  })

  it('shows nobody who the visitor of a cart is', async () => {
    await consent(grace)
    const cart = await add()
    const { secret } = await stored(cart)
    const read = await browser.api(`/carts/${cart.id}?secret=${String(secret)}`)
    expect([read.status, await read.text()]).toEqual([200, expect.not.stringContaining(grace)])
    const found = await browser.api(
      `/carts?where[exchangeId][equals]=${grace}&secret=${String(secret)}`,
    )
    expect(await found.text()).not.toContain(cart.number)
    const written = await browser.api(`/carts/${cart.id}?secret=${String(secret)}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', origin: 'https://shop.example' },
      body: JSON.stringify({ exchangeId: 'kx-somebody' }),
    })
    expect(written.status).toBeLessThan(500)
    expect((await stored(cart)).exchangeId).toBe(grace)
  })

  it('does not exist while the public API key is blank', async () => {
    const other = await openEventShop(anyKind)
    const visitor = other.aBrowser()
    const response = await visitor.post(path, { consent: '1', _kx: grace }, { ajax: true })
    const added = await visitor.get('/actions/marketingconnect/onsite/added-to-cart?productId=1')
    expect([response.status, added.status]).toEqual([404, 404])
    expect(await visitor.session()).not.toHaveProperty('hasOnsiteConsent')
  })
})
