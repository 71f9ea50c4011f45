import { afterEach, describe, expect, it } from 'vitest'
import { createProductFeedCache } from '../../src/product-feed/product-feed-cache.js'
import { createProductFeed } from '../../src/product-feed/product-feed-action.js'
import { resolveOptions, type StoreConnectOptions } from '../../src/options.js'
import { defaultProductUrl } from '../../src/sites/site-url.js'
import type { PublicProducts } from '../../src/product-feed/public-products.js'
import { createProduct, createVariants } from '../support/products.js'
import { openDoor } from '../support/open-door.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'

const path = '/actions/marketingconnect/catalog/products'

type Item = Record<string, unknown> & { id: string }

describe.each(databaseKinds)('GET /actions/marketingconnect/catalog/products (%s)', (kind) => {
  let store: TestStore
  afterEach(() => store.close())

  const open = async () => {
    store = await openStore(kind, {
      // The test store's products have no slugs.
      options: { productUrl: ({ productId }) => `/tea/${productId}` },
    })
    return store.payload
  }
  const get = (query = '', init: RequestInit & { host?: string } = {}) =>
    store.handle(new Request(`https://${init.host ?? 'shop.example'}${path}${query}`, init))
  const items = async (query = '', init = {}) => (await (await get(query, init)).json()) as Item[]
  const image = 'https://cdn.example/tea.png'

  it('describes a product as the platform’s catalog wants it', async () => {
    const payload = await open()
    const id = await createProduct(payload, { image, inventory: 12, priceInJPY: 900 })
    expect(await items()).toEqual([
      {
        id: String(id),
        title: 'Green tea',
        link: `https://shop.example/tea/${id}`,
        description: 'Green tea',
        image_link: image,
        categories: [],
        price: 12.5,
        currency: 'USD',
        sku: 'TEA-1',
        inventory_quantity: 12,
        inventory_policy: 1,
      },
    ])
    expect(await items('?currency=JPY')).toMatchObject([{ price: 900, currency: 'JPY' }])
  })

  it('has published products alone, and none that cannot be shown', async () => {
    const payload = await open()
    const id = await createProduct(payload, { image })
    await createProduct(payload, { image, _status: 'draft' })
    await createProduct(payload, { image, deletedAt: new Date().toISOString() })
    await createProduct(payload, { image: '' })
    expect((await items()).map((item) => item.id)).toEqual([String(id)])
  })

  it('sums up variants: the least price, and all that is in stock', async () => {
    const payload = await open()
    const { product, variants } = await createVariants(payload, [900, 700, 800], { inventory: 3 })
    await payload.update({ collection: 'products', id: product, data: { image } })
    await payload.update({
      collection: 'variants',
      id: variants[1] ?? 0,
      data: { _status: 'draft' },
      draft: false,
    })
    expect(await items()).toMatchObject([{ id: String(product), price: 8, inventory_quantity: 6 }])
  })

  it('has every product once, over several pages', async () => {
    const payload = await open()
    const ids: string[] = []
    for (let index = 0; index < 401; index++) {
      const data = { title: `Tea ${index}`, image, priceInUSD: 100, _status: 'published' }
      const product = (await payload.db.create({
        collection: 'products',
        data,
        req: {},
      })) as { id: unknown }
      ids.push(String(product.id))
    }
    expect((await items()).map(({ id }) => id)).toEqual(ids)
  })

  it('links to the site that was asked', async () => {
    const payload = await open()
    const site = { enabled: true, store: 'tea', cartUrl: '/cart' }
    await payload.create({
      collection: 'sites',
      data: { ...site, handle: 'de', name: 'DE', baseUrl: 'https://tee.example' },
    })
    const id = await createProduct(payload, { image: '/api/media/tea.png' })
    expect(await items('', { host: 'tee.example' })).toMatchObject([
      {
        link: `https://tee.example/tea/${id}`,
        image_link: 'https://tee.example/api/media/tea.png',
      },
    ])
    expect(await items()).toMatchObject([{ link: `https://shop.example/tea/${id}` }])
  })

  it('may be kept for five minutes, and is not sent again to who has it', async () => {
    const payload = await open()
    await createProduct(payload, { image })
    const first = await get()
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    expect(first.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(first.headers.getSetCookie()).toEqual([])
    const etag = first.headers.get('etag') ?? ''
    const body = await first.text()
    expect(first.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
    await createProduct(payload, { image })
    const second = await get('', { headers: { 'if-none-match': `"other", W/${etag}` } })
    expect([second.status, await second.text()]).toEqual([304, ''])
    expect(await (await get()).text()).toBe(body)
  })

  it('answers HEAD without a body, and nothing but GET and HEAD', async () => {
    await open()
    const head = await get('', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await get('', { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('refuses a currency that the store does not have', async () => {
    await open()
    expect((await get('?currency=EUR')).status).toBe(400)
    expect((await get('?currency=')).status).toBe(400)
    expect(await items()).toEqual([])
  })
})

const product = {
  id: 1,
  title: 'Tea',
  slug: 'tea',
  sku: '',
  description: '',
  image: 'https://cdn.example/tea.png',
  categories: [],
  prices: {},
  stock: undefined,
}

describe('A product feed that breaks off', () => {
  /** The third page of it fails. */
  function brokenFeed(bytesLimit: number) {
    const logged: string[] = []
    let pages = 0
    const products: Pick<PublicProducts, 'currencies' | 'pageAfter'> = {
      currencies: [],
      pageAfter: () => {
        pages += 1
        return pages === 3
          ? Promise.reject(new Error('The database is away.'))
          : Promise.resolve({ products: [product], last: pages })
      },
    }
    const log = (_: object, sentence: string) => void logged.push(sentence)
    const now = () => new Date()
    const action = createProductFeed({
      products,
      sites: { at: () => Promise.resolve(undefined) },
      serverUrl: 'https://shop.example',
      productUrl: defaultProductUrl,
      log: { info: log, warn: log, error: log },
      now,
      cache: createProductFeedCache({ now, bytesLimit }),
    })
    const door = openDoor({ actions: { 'marketingconnect/catalog/products': action } })
    return { door, logged, ask: () => door.handle(new Request(`https://shop.example${path}`)) }
  }

  it('before anything was sent is an error', async () => {
    const { ask, door } = brokenFeed(100_000)
    const response = await ask()
    expect(response.status).toBe(500)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(door.lines.map(({ level }) => level)).toEqual(['error'])
  })

  it('in the middle ends the answer as broken, and is logged', async () => {
    const { ask, logged } = brokenFeed(10)
    const response = await ask()
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect(logged).toEqual(['The product feed broke off'])
  })
})

describe('A product feed', () => {
  function feedOf({
    serverUrl = 'https://shop.example',
    ...options
  }: Pick<StoreConnectOptions, 'productUrl'> & { serverUrl?: string }) {
    const logged: { level: string; fields: object }[] = []
    const log = (level: string) => (fields: object) => void logged.push({ level, fields })
    let readings = 0
    const action = createProductFeed({
      products: {
        currencies: [],
        pageAfter() {
          readings += 1
          return Promise.resolve({ products: [product, { ...product, id: 2 }], last: undefined })
        },
      },
      sites: { at: () => Promise.resolve(undefined) },
      serverUrl,
      productUrl: resolveOptions(options).productUrl,
      log: { info: log('info'), warn: log('warn'), error: log('error') },
      now: () => new Date(),
    })
    const door = openDoor({ actions: { 'marketingconnect/catalog/products': action } })
    const ask = (host = 'shop.example') => door.handle(new Request(`https://${host}${path}`))
    return { ask, logged, door, readings: () => readings }
  }

  it('leaves out one product whose page cannot be named, and says which', async () => {
    const { ask, logged } = feedOf({
      productUrl({ productId }) {
        if (productId === 1) throw new Error('No slug.')
        return '/tea'
      },
    })
    const response = await ask()
    expect([response.status, await response.json()]).toMatchObject([200, [{ id: '2' }]])
    expect(logged).toEqual([
      { level: 'error', fields: expect.objectContaining({ productId: 1 }) as object },
      { level: 'warn', fields: expect.objectContaining({ count: 1 }) as object },
    ])
  })

  it('is read once, by whatever names the shop is asked', async () => {
    const { ask, readings } = feedOf({})
    const bodies: string[] = []
    for (const host of ['shop.example', 'a.example', 'b.example']) {
      bodies.push(await (await ask(host)).text())
    }
    expect(new Set(bodies).size).toBe(1)
    expect(readings()).toBe(1)
  })

  it('is not read for whatever name a stranger makes up, where the shop’s own is not known', async () => {
    const { ask, door, readings } = feedOf({ serverUrl: '' })
    for (const host of ['a.example', 'b.example']) expect((await ask(host)).status).toBe(500)
    expect(readings()).toBe(0)
    expect(door.lines[0]).toMatchObject({
      level: 'error',
      fields: {
        code: 'SHOP_URL_MISSING',
        setting: expect.stringContaining('serverURL') as string,
      },
    })
  })
})
