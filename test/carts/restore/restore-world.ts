import { afterAll, beforeAll } from 'vitest'
import { restorePath } from '../../../src/carts/restore-link.js'
import { shopOrigin, type TestBrowser } from '../../support/browser.js'
import { createProduct } from '../../support/products.js'
import { openSimulatedStore } from '../../support/simulated-store.js'
import type { DatabaseKind } from '../../support/store-config.js'

type Data = Record<string, unknown>

export const zofia = { email: 'zofia@shop.example', password: 'green tea, no sugar' }
export const daniel = { email: 'daniel@shop.example', password: 'fountain pen' }

export const cartPath = `/actions/${restorePath}`
export const loginPath = '/actions/users/login'
export const logoutPath = '/actions/users/logout'

export interface StoredCart {
  id: number
  number: string
}

type RestoreWorld = Awaited<ReturnType<typeof openRestoreWorld>>

/** A store with five sites of two commerce stores, two customers, and carts to leave behind, for a whole block. */
export function restoreWorld(kind: DatabaseKind): RestoreWorld {
  const world = {} as RestoreWorld
  beforeAll(async () => {
    // What it has is read anew each time: its clock, its log, its parts.
    Object.defineProperties(world, Object.getOwnPropertyDescriptors(await openRestoreWorld(kind)))
  })
  afterAll(() => world.close())
  return world
}

async function openRestoreWorld(kind: DatabaseKind) {
  const world = await openSimulatedStore(kind, { versions: { carts: false } })
  const { payload } = world
  const create = async (collection: string, data: Data) =>
    Number((await payload.create({ collection, data })).id)
  const site = (handle: string, data: Data) =>
    create('sites', { handle, name: `The ${handle} shop`, store: 'tea', cartUrl: '/cart', ...data })

  const sites = {
    main: await site('main', { baseUrl: shopOrigin, primary: true }),
    german: await site('german', { baseUrl: `${shopOrigin}/de`, cartUrl: 'korb', language: 'de' }),
    old: await site('old', { baseUrl: 'https://old.example', enabled: false }),
    trade: await site('trade', { baseUrl: 'https://trade.example', store: 'trade' }),
    closed: await site('closed', {
      baseUrl: 'https://closed.example',
      store: 'trade',
      enabled: false,
    }),
  }
  const users = { zofia: await create('users', zofia), daniel: await create('users', daniel) }
  const product = await createProduct(payload)

  return Object.assign(world, {
    product,
    users,
    /** Ids by handle. */
    sites,
    /** A cart of the main site with two things in it, a guest's unless `changes` says whose. */
    async leave(changes: Data = {}): Promise<StoredCart> {
      const items = [{ product, quantity: 2 }]
      const data = { items, currency: 'USD', site: sites.main, ...changes }
      const { id, number } = await payload.create({ collection: 'carts', data, depth: 0 })
      return { id: Number(id), number: String(number) }
    },
    stored: (id: number): Promise<Data> =>
      payload.findByID({ collection: 'carts', id, depth: 0 }) as Promise<Data>,
    /** Everything that a link could change. */
    async snapshot(): Promise<object> {
      const carts = await payload.find({ collection: 'carts', pagination: false, depth: 0 })
      const users = await payload.db.find<Data>({ collection: 'users', pagination: false })
      return JSON.parse(JSON.stringify({ carts: carts.docs, users: users.docs })) as object
    },
    /** Opens a URL as nobody, or with the cookies of a browser. */
    open: (url: string, init?: RequestInit) => world.handle(new Request(url, init)),
    async loggedIn(user: { email: string; password: string }): Promise<TestBrowser> {
      const visitor = world.aBrowser()
      await visitor.post(loginPath, user, { ajax: true })
      return visitor
    },
  })
}

/** The restore link of a number on the main site, as a path. */
export const linkTo = ({ number }: { number: string }, parameters: Record<string, string> = {}) =>
  `${cartPath}?${new URLSearchParams({ number, ...parameters })}`

export const codeOf = (response: Response) => [
  response.status,
  response.headers.get('x-error-code'),
]

/** The hidden fields and the target of the form, or the link, on a page. */
export function buttonOn(html: string): { action: string; fields: Record<string, string> } {
  const plain = (text = '') =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  const action = /(?:<form method="post" action|<a class="button" href)="([^"]*)"/.exec(html)?.[1]
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return {
    action: plain(action),
    fields: Object.fromEntries(fields.map(([, name, value]) => [plain(name), plain(value)])),
  }
}
