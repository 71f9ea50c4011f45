import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { partsOf } from '../support/parts.js'
import { anAddress } from '../support/orders.js'
import { anyKind, openShapedStore, type TestStore } from '../support/store.js'
import { tenantConfig } from './tenant-config.js'

type Document = Record<string, unknown> & { id: number }

describe('a store whose sites are its own tenants', () => {
  let store: TestStore
  let tenants: { main: number; german: number; outlet: number; closed: number; office: number }
  let tea: number

  beforeAll(async () => {
    store = await openShapedStore(anyKind, tenantConfig)
    const tenant = async (data: object) => Number((await create('tenants', data)).id)
    tenants = {
      main: await tenant({ domain: 'shop.example', isMain: true }),
      german: await tenant({ domain: 'shop.example/de' }),
      outlet: await tenant({ domain: 'outlet.example', brand: 'outlet' }),
      closed: await tenant({ domain: 'closed.example', isClosed: true }),
      office: await tenant({}),
    }
    const price = { priceInUSDEnabled: true, priceInUSD: 1250 }
    tea = (await create('products', { inventory: 100, _status: 'published', ...price })).id
  })
  afterAll(() => store.close())

  const create = async (collection: string, data: object, headers?: Record<string, string>) =>
    (await store.payload.create({
      collection,
      data,
      depth: 0,
      ...(headers && { req: { headers: new Headers(headers) } }),
    })) as unknown as Document

  const read = async (collection: string, id: unknown) =>
    (await store.payload.findByID({
      collection,
      id: Number(id),
      depth: 0,
    })) as unknown as Document

  const post = (url: string, body: object, headers: Record<string, string> = {}) =>
    store.api(
      new Request(url, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    )

  /** A cart as the extension's own pages make it; its id and the secret that comes with it. */
  async function postCart(url: string, headers: Record<string, string> = {}, data: object = {}) {
    const cart = { items: [{ product: tea, quantity: 2 }], currency: 'USD', ...data }
    const response = await post(url, cart, headers)
    expect(response.status).toBe(201)
    return ((await response.json()) as { doc: Document & { secret: string } }).doc
  }
  const tenantOf = async (...args: Parameters<typeof postCart>) =>
    (await read('carts', (await postCart(...args)).id)).tenant

  it('has no second collection for them, and no sites that are none', async () => {
    expect(store.payload.collections).not.toHaveProperty('sites')
    const { sites } = partsOf(store.payload)
    expect((await sites.at('https://shop.example/de/tee'))?.id).toBe(tenants.german)
    expect((await sites.at('https://closed.example/'))?.id).toBe(tenants.main)
    expect(await sites.find(tenants.office)).toBeUndefined()
    expect((await sites.find(tenants.closed))?.enabled).toBe(false)
    expect((await sites.ofCommerceStore('outlet')).map(({ id }) => id)).toEqual([tenants.outlet])
    expect(await sites.hasPath('/de')).toBe(true)
    expect(await sites.hasPath('/demo')).toBe(false)
  })

  it('has carts that remember where they were made, through the API of the extension', async () => {
    const api = 'https://shop.example/api/carts'
    expect(await tenantOf(api)).toBe(tenants.main)
    expect(await tenantOf(api, { referer: 'https://shop.example/de/tee' })).toBe(tenants.german)
    expect(await tenantOf(api, { referer: 'https://evil.example/de' })).toBe(tenants.main)
    expect(await tenantOf('https://outlet.example/api/carts')).toBe(tenants.outlet)
    // As Next.js tells it, which listens on another address.
    const proxied = { host: 'outlet.example', 'x-forwarded-proto': 'https' }
    expect(await tenantOf('http://127.0.0.1:3000/api/carts', proxied)).toBe(tenants.outlet)
    expect(await tenantOf(api, {}, { tenant: tenants.outlet })).toBe(tenants.outlet)
  })

  it("goes by the headers that the store's own code passes on, else by the primary site", async () => {
    const cart = { items: [], currency: 'USD' }
    expect((await create('carts', cart)).tenant).toBe(tenants.main)
    const headers = { host: 'outlet.example', 'x-forwarded-proto': 'https' }
    expect((await create('carts', cart, headers)).tenant).toBe(tenants.outlet)
    const page = { host: 'shop.example', 'x-forwarded-proto': 'https' }
    const referer = 'https://shop.example/de/tee'
    expect((await create('carts', cart, { ...page, referer })).tenant).toBe(tenants.german)
  })

  it('has carts of its forms that remember where they were made', async () => {
    const browser = store.aBrowser()
    await browser.post('/de/actions/commerce/cart/update-cart', { productId: String(tea) })
    const { cartId } = await browser.session()
    expect((await read('carts', cartId)).tenant).toBe(tenants.german)
    // It stays of that site, also when it is changed on another.
    await browser.post('/actions/commerce/cart/update-cart', { productId: String(tea) })
    expect((await browser.session()).cartId).toBe(cartId)
    expect(await read('carts', cartId)).toMatchObject({ tenant: tenants.german, subtotal: 2500 })
  })

  it('has orders with number and site of the cart that they were, whatever site paid', async () => {
    const page = { referer: 'https://shop.example/de/tee' }
    const { id, secret } = await postCart('https://shop.example/api/carts', page)
    const cart = await read('carts', id)
    const purchase = {
      cartID: id,
      secret,
      customerEmail: 'ada@example.com',
      billingAddress: anAddress(),
      shippingAddress: anAddress(),
    }
    const pay = (step: string) => post(`https://outlet.example/api/payments/demo/${step}`, purchase)
    expect((await pay('initiate')).status).toBe(200)
    const confirmed = await pay('confirm-order')
    expect(confirmed.status).toBe(200)

    const { orderID } = (await confirmed.json()) as { orderID: number }
    expect(cart.number).toMatch(/^[\da-f]{32}$/)
    expect(await read('orders', orderID)).toMatchObject({
      number: cart.number,
      tenant: tenants.german,
    })
  })

  it('has orders without a cart that remember where they were made', async () => {
    const order = { items: [], currency: 'USD', amount: 1, customerEmail: 'ada@example.com' }
    const headers = { host: 'outlet.example', 'x-forwarded-proto': 'https' }
    expect((await create('orders', order, headers)).tenant).toBe(tenants.outlet)
    expect((await create('orders', { ...order, tenant: tenants.german }, headers)).tenant).toBe(
      tenants.german,
    )
  })
})
