import { getPayload, type BasePayload, type CollectionSlug, type Plugin } from 'payload'
import { shopConfig, type ShopSetup } from './shop-config.js'
import { shipStationRequest, visitorWith, type Handle } from './visitor.js'

// Fills a shop with an old edition, in its process. `deliver` is at work until it hangs in a call, and is
// killed then; after it, `wait` takes posts that nobody delivers, and says what the shop looks like.
// What it says are lines of JSON.

/** What the fill uses of an edition. */
interface Edition {
  storeConnect(options: object): Plugin
  handlerOf(payload: BasePayload): Handle
  /** Since 0.2.0. */
  abandonedCartUrl?(link: { payload: BasePayload; cart: object }): Promise<string | undefined>
  /** In 0.1.0. */
  checkoutUrl?(payload: BasePayload, cart: object): Promise<string | undefined>
}

const [stage, packagePath = '', kind = '', url = '', migrationDir = '', apiUrl = ''] =
  process.argv.slice(2)

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const anOrder = {
  status: 'processing',
  customerEmail: 'ada@example.com',
  amount: 4250,
  currency: 'USD',
  shippingAddress: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    addressLine1: '12 St James Square',
    city: 'London',
    country: 'GB',
  },
}

const send = globalThis.fetch
globalThis.fetch = async (...request) => {
  const asked = new Request(...request)
  const { pathname, search } = new URL(asked.url)
  say({
    call: {
      method: asked.method,
      path: pathname + search,
      headers: Object.fromEntries(asked.headers),
      body: await asked.clone().text(),
    },
  })
  return send(asked)
}

const edition = (await import(packagePath)) as Edition
const payload = await getPayload({
  config: shopConfig({
    kind: kind as ShopSetup['kind'],
    url,
    migrationDir,
    plugin: edition.storeConnect({
      marketing: { apiUrl, delivery: stage === 'deliver' ? 'loop' : 'task' },
    }),
    mail: ({ subject, to }) => void say({ mail: { subject, to } }),
  }),
})
const handle = edition.handlerOf(payload)
const hasAlerts = payload.config.globals.some(({ slug }) => slug === 'alert-settings')

async function deliver(): Promise<void> {
  await saveSettings()
  const site = { name: 'Shop', handle: 'shop', baseUrl: 'https://shop.example', cartUrl: '/cart' }
  const { id: siteId } = await create('sites', { ...site, enabled: true, primary: true })
  const { id: customer } = await create('shoppers', {
    email: 'ada@example.com',
    password: 'correct horse',
  })
  const { id: product } = await create('products', {
    title: 'Green tea',
    sku: 'TEA-1',
    priceInUSDEnabled: true,
    priceInUSD: 1750,
    _status: 'published',
  })
  const lines = { site: siteId, items: [{ product, quantity: 2 }] }
  const { id: proven } = await create('orders', { ...anOrder, ...lines, customer })
  if (hasAlerts) {
    // As a checkout leaves it.
    const at = new Date().toISOString()
    const email = { given: true, at, version: '1', wording: 'Yes, write to me' }
    await payload.db.updateOne({ collection: 'orders', id: proven, data: { consent: { email } } })
  }
  await create('orders', { ...anOrder, ...lines })
  await create('orders', { ...anOrder, ...lines, shippingAddress: {} })
  await create('carts', { ...lines, customer })
  await post('track', { email: 'before@example.com', 'event[name]': 'Told' })
  await post('track', { email: 'poison@example.com', 'event[name]': 'Refused' })
  await until(async () => {
    const waiting = await count('marketing-sends', { state: { in: ['queued', 'sending'] } })
    const failed = await count('marketing-sends', { state: { equals: 'failed' } })
    return waiting === 0 && failed > 0
  })
  if (hasAlerts) {
    await until(
      async () => (await count('storeconnect-alerts', { noted: { contains: 'sentAt' } })) > 0,
    )
  }
  say({ idle: true })
  await new Promise((resolve) => process.stdin.once('data', resolve))
  await post('track', { email: 'in-call@example.com', 'event[name]': 'In a call' })
  // Until it is killed.
  setInterval(() => undefined, 60_000)
}

async function wait(): Promise<void> {
  await post('identify', { email: 'waiting@example.com', 'profile[first_name]': 'Grace' })
  await post('track', { email: 'waiting@example.com', 'event[name]': 'Waiting' })
  const subscribed = { list: 'WELCOME', subscribe: '1' }
  await post('track', { email: 'joining@example.com', ...subscribed })
  if (hasAlerts) await post('identify', { email: 'leaving@example.com', subscribe: '0' })

  const [, shipped] = await all('orders')
  const notice = { action: 'shipnotify', order_number: String(shipped?.reference), carrier: 'UPS' }
  await handle(shipStationRequest({ ...notice, tracking_number: '1Z' }, 'POST'))

  const window = { start_date: '01/01/2026 00:00', end_date: '12/31/2030 00:00' }
  const exported = await Promise.all(
    ['1', '2'].map(async (page) => {
      const pulled = await handle(shipStationRequest({ action: 'export', ...window, page }))
      return { page, xml: await pulled.text() }
    }),
  )

  const visitor = visitorWith(handle)
  const token = await visitor.token()
  const [product] = await all('products')
  const added = { productId: String(product?.id), qty: '3' }
  const path = '/actions/commerce/cart/update-cart'
  await successOf(await visitor.post(path, { CSRF_TOKEN: token, ...added }))

  const linkTo = (cart: Data) =>
    edition.abandonedCartUrl?.({ payload, cart }) ?? edition.checkoutUrl?.(payload, cart)
  const links = await Promise.all(
    (await all('carts')).map(async (cart) => ({
      id: cart.id,
      isGuest: !cart.customer,
      link: await linkTo(cart),
    })),
  )
  const settings: Record<string, object> = {}
  for (const { slug } of payload.config.globals) {
    settings[slug] = await payload.findGlobal({ slug, depth: 0 })
  }
  const documents: Record<string, object> = {}
  for (const { slug } of payload.config.collections) {
    if (!slug.startsWith('payload-')) documents[slug] = await all(slug)
  }
  const session = { cookies: [...visitor.cookies], token }
  say({ facts: { exported: { window, pages: exported }, links, session, settings, documents } })
  // The pool would keep the process.
  process.exit()
}

/** Some names are of one edition alone; Payload leaves out what it does not know. */
async function saveSettings(): Promise<void> {
  const settings: Record<string, object | undefined> = {
    'shipping-settings': { username: 'ship', password: 'secret', pageSize: '2' },
    'marketing-settings': {
      privateApiKey: 'pk_stand_in_demo_key',
      eventPrefix: 'Shop:',
      foldMinutes: 7,
      dedupeMinutes: 7,
      followUnsubscribes: true,
      allowedLists: ['WELCOME'],
      statusEvents: [{ status: 'shipped', event: 'Fulfilled Order' }],
      postsPerAddress: 99,
    },
    'alert-settings': { recipients: ['merchant@shop.example'], noPullHours: 5 },
  }
  for (const { slug } of payload.config.globals) {
    const data = settings[slug]
    if (data) await payload.updateGlobal({ slug, data })
  }
}

async function post(action: string, fields: Record<string, string>): Promise<void> {
  const visitor = visitorWith(handle)
  const token = await visitor.token()
  const path = `/actions/marketingconnect/api/${action}`
  await successOf(await visitor.post(path, { CSRF_TOKEN: token, ...fields }))
}

async function successOf(response: Response): Promise<void> {
  if (!response.ok)
    throw new Error(`A post was answered ${response.status}: ${await response.text()}`)
}

type Data = Record<string, unknown>

const create = (collection: CollectionSlug, data: Data) =>
  payload.create({ collection, data, depth: 0 })

async function all(collection: CollectionSlug): Promise<Data[]> {
  const { docs } = await payload.find({ collection, depth: 0, pagination: false, sort: 'id' })
  return docs as unknown[] as Data[]
}

const count = async (collection: CollectionSlug, where: object): Promise<number> =>
  (await payload.count({ collection, where: where as Record<string, object> })).totalDocs

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 200))
}

if (stage === 'deliver') await deliver()
else await wait()
