import { randomUUID } from 'node:crypto'
import { en } from 'payload/i18n/en'
import { createLocalReq, getPayload, type BasePayload, type SanitizedConfig } from 'payload'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { abandonedCartUrl } from '../../src/index.js'
import { handlerOf, installedIn } from '../../src/core/installation.js'
import { fieldPaths, findField } from '../../src/core/payload/field-search.js'
import { productWords } from '../../src/core/translations/en.js'
import { baseKey } from '../../src/core/translations/plural-key.js'
import { script } from '../../src/mounts/cli/sync-orders.js'
import { storePages } from '../../src/mounts/next/index.js'
import type { StoreConnectOptions } from '../../src/types.js'
import { shopOrigin } from '../support/browser.js'
import { closeInstance } from '../support/close-instance.js'
import { tellingPlugin } from '../support/loaded-modules.js'
import { anAddress, anOrder, saveOrder } from '../support/orders.js'
import { createProduct } from '../support/products.js'
import { emptyDatabase, storeDatabase } from '../support/own-database.js'
import { pushSchema } from '../support/push-schema.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { openSimulatedStore, type SimulatedStore } from '../support/simulated-store.js'
import { storeConfig, type DatabaseKind } from '../support/store-config.js'
import {
  anyKind,
  databaseKinds,
  openShapedStore,
  openStore,
  startStore,
  type TestStore,
} from '../support/store.js'

vi.mock('next/headers.js', () => ({
  headers: () => Promise.resolve(new Headers({ host: 'shop.example' })),
}))

const both: StoreConnectOptions = {}
const shippingOnly: StoreConnectOptions = { marketing: false }
const marketingOnly: StoreConnectOptions = { shipping: false }

const configOf = (options: StoreConnectOptions, kind: DatabaseKind = 'sqlite', url = ':memory:') =>
  storeConfig({ kind, url, options })

/** What a store offers that Storeconnect may have added. */
function offered({ collections, globals, endpoints }: SanitizedConfig) {
  const fieldsOf = (all: readonly { slug: string; fields: unknown }[], slug: string) =>
    (all.find((each) => each.slug === slug)?.fields ??
      []) as SanitizedConfig['collections'][0]['fields']
  const namesOf = (slug: string) =>
    fieldPaths(fieldsOf(collections, slug)).flatMap(({ path }) =>
      path.includes('.') ? [] : [path],
    )
  const items = findField(fieldsOf(collections, 'orders'), 'items')
  return {
    collections: collections.map(({ slug }) => slug),
    globals: globals.map(({ slug }) => slug),
    menu: [...collections, ...globals].flatMap(({ slug, admin: { group } }) =>
      JSON.stringify(group ?? '').includes('Storeconnect') ? [slug] : [],
    ),
    orders: namesOf('orders'),
    lines: fieldPaths(items?.type === 'array' ? items.fields : []).map(({ path }) => path),
    carts: namesOf('carts'),
    users: namesOf('users'),
    transactions: namesOf('transactions'),
    alerts: fieldPaths(fieldsOf(globals, 'alert-settings')).map(({ path }) => path),
    endpoints: endpoints.map(({ path }) => path),
  }
}

type Offered = ReturnType<typeof offered>

/** What a store with both products has, and one with these options has not. It has nothing else. */
async function lackedBy(options: StoreConnectOptions): Promise<Offered> {
  const [whole, alone] = [offered(await configOf(both)), offered(await configOf(options))]
  const names = Object.keys(whole) as (keyof Offered)[]
  return Object.fromEntries(
    names.map((name) => [name, whole[name].filter((each) => !alone[name].includes(each))]),
  ) as unknown as Offered
}

const answerOf = async (store: TestStore, path: string, init?: RequestInit) => {
  const headers = { accept: 'application/json' }
  const request = new Request(`${shopOrigin}/actions/${path}`, { headers, ...init })
  const response = await store.handle(request)
  return { status: response.status, body: (await response.json()) as unknown }
}

const reader = { translate: (key: string) => key, statusName: (status: string) => status }

const noSuchAction = { status: 404, body: { errors: [{ message: 'There is no such action.' }] } }

/** What the overview says of the platforms, and its first steps. */
async function mattersOf({ payload }: TestStore) {
  const matters = await (await installedIn(payload))?.alerts.matters()
  return {
    platforms: Object.keys(matters?.states ?? {}),
    steps: matters?.steps.map(({ name }) => name),
  }
}

const shaped =
  (options: StoreConnectOptions) =>
  (kind: DatabaseKind): Promise<TestStore> =>
    openShapedStore(kind, (of, url) => configOf(options, of, url))

// Payload keeps the texts of a language once a process, from the store that needs them first.
beforeAll(async () => {
  const store = await openStore(anyKind)
  await createLocalReq({}, store.payload)
  await store.close()
})

describe('A store without Klaviyo', () => {
  it('has no collection, global, menu entry, column, setting or endpoint of Klaviyo', async () => {
    expect(await lackedBy(shippingOnly)).toEqual({
      collections: [
        'marketing-sends',
        'marketing-consent-proofs',
        'marketing-catalog',
        'marketing-coupon-codes',
        'marketing-histories',
      ],
      globals: ['marketing-settings'],
      menu: [],
      orders: ['consent', 'consentEmail'],
      lines: ['slug', 'brand', 'categories'],
      carts: ['consent', 'consentSession', 'consentEmail', 'sentState', 'exchangeId'],
      users: ['emailConsent', 'smsConsent', 'sentProfile'],
      transactions: ['checkoutState'],
      alerts: [
        'sendsWaiting',
        'sendsWaitingMinutes',
        'sendsFailed',
        'keyRefused',
        'revisionEnds',
        'catalogRefused',
        'couponsRefused',
      ],
      endpoints: [
        '/storeconnect/lists',
        '/storeconnect/consent-proof.csv',
        '/storeconnect/example-events',
        '/storeconnect/test-event',
        '/storeconnect/test-event',
        '/storeconnect/mapped-metrics',
        '/storeconnect/mapped-metrics',
        '/storeconnect/person-at-klaviyo',
        '/storeconnect/resend-reason',
      ],
    })
  })

  describe.each(databaseKinds)('(%s)', (kind) => {
    let store: TestStore
    const open = (options: StoreConnectOptions = {}) =>
      shaped({ ...options, ...shippingOnly })(kind)
    beforeAll(async () => {
      vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'shop')
      vi.stubEnv('CRON_SECRET', 'cron')
      store = await open()
    })
    afterAll(async () => {
      vi.unstubAllEnvs()
      await store.close()
    })

    it('exports an order, notes its parcel, and tells its story', async () => {
      const product = await createProduct(store.payload)
      const items = [{ product, quantity: 1, name: 'Green tea', sku: 'TEA-1', unitPrice: 4250 }]
      const { id, reference } = await saveOrder(store.payload, anOrder({ items }))
      const exported = await store.handle(exportRequest())
      expect(exported.status).toBe(200)
      expect(await exported.text()).toContain(`<OrderNumber>${reference}</OrderNumber>`)
      const parcel = { order_number: reference, carrier: 'UPS', service: 'Ground' }
      const noted = await store.handle(noticeRequest({ ...parcel, tracking_number: '1Z1' }))
      expect(noted.status).toBe(200)
      const order = await store.payload.findByID({ collection: 'orders', id, depth: 0 })
      expect(order).toMatchObject({ status: 'shipped', tracking: [{ trackingNumber: '1Z1' }] })
      const parts = await installedIn(store.payload)
      const story = await parts?.stories.ofOrder(id, (key) => key)
      expect(story?.entries.map(({ is }) => is)).toEqual(
        expect.arrayContaining(['placed', 'pull', 'notice']),
      )
      const page = await parts?.people.read({ by: 'order', value: String(id) }, reader)
      if (page?.is !== 'person') throw new Error('There is no page.')
      expect(page.person.orders).toMatchObject([{ reference, standing: { is: 'shipped' } }])
      expect(Object.keys(page.person)).not.toEqual(expect.arrayContaining(['sends', 'consents']))
    })

    it('tells of an order that ShipStation does not get, without an outbox', async () => {
      const store = await open({ alerts: { settings: { healthToken: 'health' } } })
      onTestFinished(() => store.close())
      await saveOrder(store.payload, anOrder({ shippingAddress: anAddress({ city: '' }) }))
      await store.handle(exportRequest())
      const run = { headers: { authorization: 'Bearer cron' } }
      expect(await answerOf(store, 'storeconnect/run', run)).toEqual({
        status: 200,
        body: { status: 'done' },
      })
      const health = { headers: { authorization: 'Bearer health' } }
      expect(await answerOf(store, 'storeconnect/health', health)).toMatchObject({
        status: 503,
        body: { status: 'alert', alerts: [{ condition: 'ordersSkipped' }] },
      })
    })

    it('erases a person, and asks nobody to do the same', async () => {
      const erasures = (await installedIn(store.payload))?.erasures
      const email = 'grace@example.com'
      const { id } = await saveOrder(store.payload, anOrder({ customerEmail: email }))
      await expect(erasures?.preview(email)).resolves.toMatchObject({ orderCount: 1, sendCount: 0 })
      const erased = await erasures?.erase(email, { orders: 'anonymise', door: 'admin' })
      expect(erased).toMatchObject({ klaviyo: 'none', orderCount: 1 })
      const order = await store.payload.findByID({ collection: 'orders', id, depth: 0 })
      expect(order.customerEmail).toBeNull()
    })
  })

  describe('at work', () => {
    let store: TestStore
    beforeAll(async () => {
      store = await shaped(shippingOnly)(anyKind)
    })
    afterAll(() => store.close())

    it.each(['api/identify', 'api/track', 'catalog/products', 'onsite/visitor'])(
      'has no action marketingconnect/%s',
      async (path) => {
        for (const method of ['GET', 'POST']) {
          const answer = await answerOf(store, `marketingconnect/${path}`, { method })
          expect(answer.status, method).toBe(404)
        }
        expect(await answerOf(store, `marketingconnect/${path}`)).toEqual(noSuchAction)
      },
    )

    it('restores a cart by its link, and logs customers in', async () => {
      const { payload } = store
      const product = await createProduct(payload)
      const site = { handle: 'main', name: 'Shop', store: 'tea', baseUrl: shopOrigin }
      await payload.create({
        collection: 'sites',
        data: { ...site, cartUrl: '/cart', primary: true },
      })
      const data = { items: [{ product, quantity: 2 }], currency: 'USD' }
      const cart = await payload.create({ collection: 'carts', data })
      const url = await abandonedCartUrl({ payload, cart })
      const login = { email: 'ada@shop.example', password: 'green tea, no sugar' }
      await payload.create({ collection: 'users', data: login })
      const browser = store.aBrowser()
      const restored = await browser.get(String(url))
      expect(restored.headers.get('location')).toBe(`${shopOrigin}/cart`)
      const known = await browser.post('/actions/users/login', login)
      expect(known.status).toBeLessThan(400)
    })

    it('shows nothing of Klaviyo on its pages', async () => {
      const pages = storePages(store.payload.config)
      expect(await pages.readKlaviyoOnsite()).toBeUndefined()
      expect(await pages.readViewedProduct(1)).toBeUndefined()
      expect(
        await pages.CheckoutConsent({ email: 'News', version: '1', legend: 'News' }),
      ).toBeNull()
    })

    it('says to who would send past orders that it has no Klaviyo', async () => {
      const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
      const ended = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
      onTestFinished(() => {
        vi.restoreAllMocks()
        process.exitCode = 0
      })
      await script(store.payload.config)
      expect(said.mock.calls.flat().join('')).toContain('This store has no Klaviyo')
      expect(ended).toHaveBeenCalledWith(1)
    })

    it('has an overview of ShipStation alone', async () => {
      const overview = (await installedIn(store.payload))?.overview
      expect((await overview?.facts())?.marketing).toBeUndefined()
      expect((await overview?.facts())?.shipping).toMatchObject({ skipped: { count: 0 } })
      expect(await mattersOf(store)).toEqual({
        platforms: ['ShipStation'],
        steps: ['sitesMissing', 'proxyMissing', 'credentialsMissing', 'neverPulled', 'nobodyTold'],
      })
      expect(await overview?.details()).toMatchObject({
        hours: undefined,
        today: { shipped: { pulled: 0 }, delivered: undefined },
      })
    })
  })
})

describe('A store without ShipStation', () => {
  it('has no collection, global, column, setting or endpoint of ShipStation', async () => {
    expect(await lackedBy(marketingOnly)).toEqual({
      collections: ['shipping-notices', 'shipping-skipped-orders', 'shipping-pulls'],
      globals: ['shipping-settings'],
      // The settings for Klaviyo are in the menu in its place.
      menu: ['shipping-settings'],
      orders: [
        ...['tracking', 'shipments', 'shippingMethod', 'customerNotes', 'giftMessage'],
        ...['internalNotes', 'exportedAs', 'storeconnectStanding'],
      ],
      lines: [
        ...['weight', 'weightUnit', 'itemLength', 'itemWidth', 'itemHeight', 'dimensionUnit'],
        'location',
      ],
      carts: ['shippingMethod', 'customerNotes', 'giftMessage'],
      users: [],
      transactions: [],
      alerts: [
        ...['paidStatuses', 'noPull', 'noPullHours', 'unshipped', 'unshippedHours'],
        ...['businessDays', 'credentialsRefused', 'credentialsRefusedMinutes', 'windowStopped'],
        ...['windowStoppedMinutes', 'firstPageOnly', 'nothingFound', 'nothingFoundHours'],
        ...['endedShipped', 'ordersSkipped', 'shippingSettingsWrong', 'exportFails', 'noticeFails'],
        ...['parcelStuck', 'parcelStuckDays', 'parcelFailed'],
      ],
      endpoints: [
        '/storeconnect/order-xml',
        '/storeconnect/order-preview',
        '/storeconnect/window-preview',
      ],
    })
    expect(offered(await configOf(marketingOnly)).menu).toContain('marketing-settings')
  })

  describe.each(databaseKinds)('(%s)', (kind) => {
    let world: SimulatedStore
    beforeAll(async () => {
      world = await openSimulatedStore(kind, {
        options: { ...marketingOnly, alerts: { settings: { healthToken: 'health' } } },
        open: (of, setup) =>
          openShapedStore(of, (own, url) => storeConfig({ ...setup, kind: own, url })),
      })
    })
    afterAll(() => world.close())

    it('sends the events of an order, tells its story, and identifies who posts', async () => {
      const { id } = await saveOrder(world.payload)
      const browser = world.aBrowser()
      const posted = await browser.post('/actions/marketingconnect/api/identify', {
        email: 'ada@example.com',
        'profile[first_name]': 'Ada',
      })
      expect(posted.status).toBeLessThan(400)
      await world.payload.update({ collection: 'orders', id, data: { status: 'shipped' } })
      await world.deliver()
      const metrics = [...world.standIn.state.events.values()].map(({ metric }) => metric)
      expect(metrics).toEqual(
        expect.arrayContaining(['Placed Order', 'Ordered Product', 'Shipped Order']),
      )
      const story = await world.parts.stories.ofOrder(id, (key) => key)
      expect(story?.entries.map(({ is }) => is)).toEqual(
        expect.arrayContaining(['placed', 'status', 'accepted', 'attempt']),
      )
      // The page links to ShipStation's XML by it.
      expect(story?.reference).toBeUndefined()
      const page = await world.parts.people.read({ by: 'order', value: String(id) }, reader)
      if (page?.is !== 'person') throw new Error('There is no page.')
      expect(page.person.orders.map(({ standing }) => standing)).toEqual([undefined])
      expect(page.person.sends).not.toEqual([])
    })

    it('goes round as the watchman, and is well', async () => {
      await world.runTask()
      const health = { headers: { authorization: 'Bearer health' } }
      expect(await answerOf(world, 'storeconnect/health', health)).toMatchObject({
        status: 200,
        body: { status: 'ok', lastPull: null },
      })
    })

    it('has an overview of Klaviyo alone', async () => {
      expect(await mattersOf(world)).toEqual({
        platforms: ['Klaviyo'],
        steps: [
          ...['sitesMissing', 'proxyMissing', 'keyMissing', 'keyUntried', 'metricsUnmapped'],
          'nobodyTold',
        ],
      })
    })

    it('answers ShipStation as any unknown action', async () => {
      for (const request of [exportRequest(), noticeRequest()]) {
        request.headers.set('accept', 'application/json')
        const response = await world.handle(request)
        const answer = { status: response.status, body: (await response.json()) as unknown }
        expect(answer).toEqual(noSuchAction)
      }
    })

    it('erases a person here and at Klaviyo', async () => {
      const email = 'grace@example.com'
      await saveOrder(world.payload, anOrder({ customerEmail: email }))
      await world.deliver()
      const { klaviyo, orderCount } = await world.parts.erasures.erase(email, {
        orders: 'anonymise',
        door: 'admin',
      })
      expect({ klaviyo, orderCount }).toEqual({ klaviyo: 'waiting', orderCount: 1 })
    })
  })
})

/** The admin's texts of Storeconnect in a language, by key. */
const textsIn = ({ i18n: { translations } }: SanitizedConfig, language: string) =>
  (translations as Record<string, { storeconnect?: Record<string, string> }>)[language]
    ?.storeconnect ?? {}

const languages = ['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'sv'] as const

/** A store whose admin has each language. Its other texts do not matter here. */
const translatedConfig = (options: StoreConnectOptions) => {
  // Payload writes a config's texts into the object of a language, which other stores share.
  const supportedLanguages = Object.fromEntries(
    languages.map((language) => [language, structuredClone(en)]),
  )
  return storeConfig({
    kind: 'sqlite',
    url: ':memory:',
    options,
    config: { i18n: { supportedLanguages } },
  })
}

describe.each([
  { off: 'marketing', options: shippingOnly, gone: productWords.marketing },
  { off: 'shipping', options: marketingOnly, gone: productWords.shipping },
])('The texts of a store without $off', ({ options, gone }) => {
  let whole: SanitizedConfig
  let alone: SanitizedConfig
  beforeAll(async () => {
    whole = await translatedConfig(both)
    alone = await translatedConfig(options)
  })

  it.each(languages)('lack all of that product, and no other: %s', (language) => {
    const names = new Set(Object.keys(gone).map(baseKey))
    expect(textsIn(alone, language)).toEqual(
      Object.fromEntries(
        Object.entries(textsIn(whole, language)).filter(([key]) => !names.has(baseKey(key))),
      ),
    )
    expect(Object.keys(textsIn(whole, language))).toEqual(expect.arrayContaining(Object.keys(gone)))
  })

  it('are all that the config asks for', () => {
    const asked = new Set<string>()
    const t = (key: string) => {
      if (key.startsWith('storeconnect:')) asked.add(key.slice('storeconnect:'.length))
      return key
    }
    askForTexts([alone.collections, alone.globals], t)
    expect(asked.size).toBeGreaterThan(50)
    const texts = textsIn(alone, 'en')
    expect([...asked].filter((key) => !(key in texts))).toEqual([])
  })
})

/** Calls each label and description of a config. */
function askForTexts(config: unknown, t: (key: string) => string, seen = new Set<unknown>()): void {
  if (typeof config !== 'object' || config === null || seen.has(config)) return
  seen.add(config)
  for (const [name, value] of Object.entries(config)) {
    if (typeof value === 'function' && textNames.has(name))
      (value as (args: object) => unknown)({ t, i18n: { t, language: 'en' } })
    else askForTexts(value, t, seen)
  }
}

const textNames = new Set(['label', 'description', 'singular', 'plural', 'placeholder'])

describe('A store with neither', () => {
  it('does not start, and one sentence says why', async () => {
    const neither: StoreConnectOptions = { shipping: false, marketing: false }
    await expect(configOf(neither)).rejects.toThrow(
      new TypeError(
        'storeConnect(): `shipping` and `marketing` are both off, so nothing is left. Leave one of them on, or switch Storeconnect off as a whole with `enabled: false`.',
      ),
    )
  })
})

it('refuses a preset for an alert of a product that is off', async () => {
  const alerts = { settings: { noPullHours: 6 } }
  await expect(configOf({ ...marketingOnly, alerts })).rejects.toThrow(/noPullHours/)
})

describe('What a start loads', () => {
  /** The modules of a process that delivers, after its first action. */
  async function loadedBy(options: StoreConnectOptions): Promise<string[]> {
    const { storeConnect: connect, loaded, remove } = await tellingPlugin()
    const database = await storeDatabase('sqlite')
    const config = await storeConfig({ kind: 'sqlite', url: database.url, options, connect })
    const payload = await getPayload({ config, key: randomUUID() })
    onTestFinished(async () => {
      await closeInstance(payload)
      await database.remove()
      remove()
    })
    await firstAction(payload)
    return [...loaded].sort()
  }

  const firstAction = async (payload: BasePayload) => {
    const response = await handlerOf(payload)(
      new Request(`${shopOrigin}/actions/users/session-info`),
    )
    expect(response.status).toBe(200)
  }

  it.each([
    { without: 'marketing', options: shippingOnly },
    { without: 'shipping', options: marketingOnly },
  ])('is no module of $without, where that is off', async ({ without, options }) => {
    const loaded = await loadedBy(options)
    expect(loaded).toContain('plugin.js')
    expect(loaded).toContain('merchant/alerts/watchman.js')
    expect(loaded.filter((name) => name.startsWith(`${without}/`))).toEqual([])
  })
})

describe.each(databaseKinds)('A product that is switched off and on again (%s)', (kind) => {
  const steps = [
    { off: 'marketing', options: shippingOnly },
    { off: 'shipping', options: marketingOnly },
  ]
  it.each(steps)(
    'loses what was stored for it, and begins anew: $off, with a pushed schema',
    async ({ options }) => {
      const database = await emptyDatabase(kind)
      onTestFinished(() => database.remove())
      const at = (given: StoreConnectOptions) => configOf(given, kind, database.url)
      const run = async (given: StoreConnectOptions, work: (store: TestStore) => Promise<void>) => {
        const store = await startStore(await at(given), { kind, url: database.url })
        try {
          await work(store)
        } finally {
          await closeInstance(store.payload)
        }
      }
      const exportOf = async (store: TestStore) => (await store.handle(exportRequest())).text()
      let sold: Awaited<ReturnType<typeof saveOrder>> | undefined

      await pushSchema(await at(both))
      await run(both, async (store) => {
        sold = await saveOrder(store.payload)
        expect(await exportOf(store)).toContain(sold.reference)
      })
      await pushSchema(await at(options), await at(both))
      await run(options, async ({ payload }) => {
        const found = await payload.find({ collection: 'orders' })
        expect(found.docs).toMatchObject([{ reference: sold?.reference, amount: 4250 }])
        await saveOrder(payload)
      })
      await pushSchema(await at(both), await at(options))
      await run(both, async (store) => {
        expect(await exportOf(store)).toContain(sold?.reference)
        const parts = await installedIn(store.payload)
        expect((await parts?.overview.facts())?.marketing).toBeDefined()
      })
    },
  )
})
