import { beforeEach, describe, expect, it } from 'vitest'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { captureLog } from '../../support/captured-log.js'
import { createProduct, createVariants } from '../../support/products.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind } from '../../support/store.js'
import type { StoreSetup } from '../../support/store-config.js'

const path = '/actions/marketingconnect/catalog/products'
const image = 'https://cdn.example/tea.png'

type Item = Record<string, unknown> & { id: string }

/** A store whose product feed is read again in each test. */
function feedStore(setup: Pick<StoreSetup, 'options' | 'config'> = {}) {
  let passedMs = 0
  const now = () => new Date(Date.now() + passedMs)
  const store = sharedStore(anyKind, { ...setup, effects: { now } })
  beforeEach(async () => {
    for (const collection of ['variants', 'products', 'sites'] as const)
      await store.payload.db.deleteMany({ collection, where: {} })
    passedMs += 301_000
  })

  const get = (query = '', init: RequestInit & { host?: string } = {}) =>
    store.handle(new Request(`https://${init.host ?? 'shop.example'}${path}${query}`, init))
  return {
    get payload() {
      return store.payload
    },
    get,
    items: async (query = '', init = {}) => (await (await get(query, init)).json()) as Item[],
    /** Published products of such titles, below all hooks. */
    async fill(titles: readonly string[]): Promise<string[]> {
      const ids: string[] = []
      for (const title of titles) {
        const data = { title, image, priceInUSD: 100, _status: 'published' }
        const made = (await store.payload.db.create({ collection: 'products', data, req: {} })) as {
          id: unknown
        }
        ids.push(String(made.id))
      }
      return ids
    },
    /** Runs a hook of the store's products for a while. */
    async whileReading(hook: (product: { id: unknown }) => void, work: () => Promise<void>) {
      const hooks = store.payload.collections.products?.config.hooks.afterRead ?? []
      hooks.push(({ doc }: { doc: { id: unknown } }) => hook(doc))
      try {
        await work()
      } finally {
        hooks.pop()
      }
    },
  }
}

/** The test store's products have no slugs. */
const options: StoreConnectOptions = { productUrl: ({ productId }) => `/tea/${productId}` }

describe('GET /actions/marketingconnect/catalog/products', () => {
  const feed = feedStore({ options })

  it('describes a product as the platform’s catalog wants it', async () => {
    const categories = ['Tea', 'Green']
    const data = { image, categories, inventory: 12, priceInJPY: 900 }
    const id = await createProduct(feed.payload, data)
    expect(await feed.items()).toEqual([
      {
        id: String(id),
        title: 'Green tea',
        link: `https://shop.example/tea/${id}`,
        description: 'Green tea',
        image_link: image,
        categories,
        price: 12.5,
        currency: 'USD',
        sku: 'TEA-1',
        inventory_quantity: 12,
        inventory_policy: 1,
      },
    ])
    expect(await feed.items('?currency=JPY')).toMatchObject([{ price: 900, currency: 'JPY' }])
  })

  it('has published products alone, and none that cannot be shown', async () => {
    const id = await createProduct(feed.payload, { image })
    await createProduct(feed.payload, { image, _status: 'draft' })
    await createProduct(feed.payload, { image, deletedAt: new Date().toISOString() })
    await createProduct(feed.payload, { image: '' })
    expect((await feed.items()).map((item) => item.id)).toEqual([String(id)])
  })

  it('sums up variants: the least price, and all that is in stock', async () => {
    const { payload } = feed
    const { product, variants } = await createVariants(payload, [900, 700, 800], { inventory: 3 })
    await payload.update({ collection: 'products', id: product, data: { image } })
    await payload.update({
      collection: 'variants',
      id: variants[1] ?? 0,
      data: { _status: 'draft' },
      draft: false,
    })
    expect(await feed.items()).toMatchObject([
      { id: String(product), price: 8, inventory_quantity: 6 },
    ])
  })

  it('has every product once, over several pages', async () => {
    const ids = await feed.fill(Array.from({ length: 401 }, (_, index) => `Tea ${index}`))
    expect((await feed.items()).map(({ id }) => id)).toEqual(ids)
  })
})

describe('A product feed', () => {
  const log = captureLog()
  const failing = new Set<unknown>()
  beforeEach(() => {
    log.clear()
    failing.clear()
  })
  const feed = feedStore({
    config: log.config,
    options: {
      productUrl({ productId }, site) {
        if (failing.has(productId)) throw new Error('No slug.')
        return options.productUrl?.({ productId, slug: '', sku: '' }, site) ?? ''
      },
    },
  })
  const told = () => log.lines().filter(({ level }) => level >= 40)

  it('links to the site that was asked', async () => {
    const site = { enabled: true, store: 'tea', cartUrl: '/cart' }
    await feed.payload.create({
      collection: 'sites',
      data: { ...site, handle: 'de', name: 'DE', baseUrl: 'https://tee.example' },
    })
    const id = await createProduct(feed.payload, { image: '/api/media/tea.png' })
    expect(await feed.items('', { host: 'tee.example' })).toMatchObject([
      {
        link: `https://tee.example/tea/${id}`,
        image_link: 'https://tee.example/api/media/tea.png',
      },
    ])
    expect(await feed.items()).toMatchObject([{ link: `https://shop.example/tea/${id}` }])
  })

  it('may be kept for five minutes, and is not sent again to who has it', async () => {
    await createProduct(feed.payload, { image })
    const first = await feed.get()
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    expect(first.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(first.headers.getSetCookie()).toEqual([])
    const etag = first.headers.get('etag') ?? ''
    const body = await first.text()
    expect(first.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
    await createProduct(feed.payload, { image })
    const second = await feed.get('', { headers: { 'if-none-match': `"other", W/${etag}` } })
    expect([second.status, await second.text()]).toEqual([304, ''])
    // By whatever name the shop is asked.
    for (const host of ['shop.example', 'a.example'])
      expect(await (await feed.get('', { host })).text()).toBe(body)
  })

  it('answers HEAD without a body, and nothing but GET and HEAD', async () => {
    const head = await feed.get('', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await feed.get('', { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('refuses a currency that the store does not have', async () => {
    expect((await feed.get('?currency=EUR')).status).toBe(400)
    expect((await feed.get('?currency=')).status).toBe(400)
    expect(await feed.items()).toEqual([])
  })

  it('leaves out one product whose page cannot be named, and says which', async () => {
    const [first, second] = await feed.fill(['Green tea', 'Oolong'])
    failing.add(Number(first))
    expect(await feed.items()).toMatchObject([{ id: second }])
    expect(told()).toMatchObject([
      { level: 50, productId: Number(first) },
      { level: 40, count: 1 },
    ])
  })

  it('that fails before anything was sent is an error', async () => {
    await feed.fill(['Green tea'])
    await feed.whileReading(away, async () => {
      const response = await feed.get()
      expect(response.status).toBe(500)
      expect(response.headers.get('cache-control')).toBe('no-store')
    })
  })

  it('that breaks off in the middle ends the answer as broken, and is logged', async () => {
    // The first page fills what the shop waits for before it answers.
    const ids = await feed.fill(Array<string>(401).fill('Tea '.repeat(250)))
    const failAtLast = ({ id }: { id: unknown }) => {
      if (String(id) === ids.at(-1)) away()
    }
    await feed.whileReading(failAtLast, async () => {
      const response = await feed.get()
      expect(response.status).toBe(200)
      await expect(response.text()).rejects.toThrow()
      expect(told()).toMatchObject([{ level: 50, msg: 'The product feed broke off' }])
    })
  })
})

const away = () => {
  throw new Error('The database is away.')
}

describe('A store that does not know its own URL', () => {
  const log = captureLog()
  const feed = feedStore({ options, config: { ...log.config, serverURL: '' } })

  it('reads no product feed for whatever name a stranger makes up', async () => {
    let read = 0
    await feed.fill(['Green tea'])
    await feed.whileReading(
      () => void (read += 1),
      async () => {
        for (const host of ['a.example', 'b.example'])
          expect((await feed.get('', { host })).status).toBe(500)
      },
    )
    expect(read).toBe(0)
    expect(log.lines().find(({ level }) => level === 50)).toMatchObject({
      code: 'SHOP_URL_MISSING',
      setting: expect.stringContaining('serverURL') as string,
    })
  })
})
