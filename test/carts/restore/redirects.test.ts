import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { restorePath } from '../../../src/carts/restore-link.js'
import { partsOf } from '../../support/parts.js'
import type { Site } from '../../../src/shop/sites/site.js'
import { mutationsOf } from '../../support/mutations.js'
import { propertyRuns, propertyTimeoutMs } from '../../support/property-runs.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind } from '../../support/store.js'
import { aSite } from '../../unit/shop/sites/a-site.js'

/** A post costs far more than a link. */
const links = Math.ceil(propertyRuns / 10)
const posts = Math.ceil(propertyRuns / 40)

const shop = 'https://shop.example'
const daniel = { email: 'daniel@shop.example', password: 'fountain pen' }
const zofia = { email: 'zofia@shop.example', password: 'green tea, no sugar' }

const withoutZero = (text: string) => text.toWellFormed().replaceAll('\0', '')

/** Texts that somebody would like a browser to take for a place of theirs. */
const trick = fc
  .oneof(
    fc.constantFrom(
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https:evil.example',
      'https:/evil.example',
      'https://shop.example@evil.example',
      'https://shop.example.evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      '/.//evil.example',
      '/\t/evil.example',
      '/%2f/evil.example',
      '/..//evil.example',
      '///evil.example/cart',
    ),
    mutationsOf('/cart'),
    mutationsOf('//evil.example/cart'),
    mutationsOf('https://evil.example/cart?moved=1#x'),
    mutationsOf('https://shop.example/de/cart'),
    fc.string({ unit: 'binary', maxLength: 30 }),
  )
  .map(withoutZero)

const parameter = fc.tuple(
  fc.constantFrom(
    ...['utm_source', 'utm_campaign', '_kx', 'moved', 'coupon', 'expires', 'signature'],
    ...['redirect', 'returnUrl', 'returnTo', 'url', 'next', 'loginPath', 'cartUrl', 'site'],
  ),
  trick,
)

const header = fc.tuple(
  fc.constantFrom(
    ...['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-for', 'x-forwarded-prefix'],
    ...['forwarded', 'x-original-url', 'x-rewrite-url', 'x-host', 'host', 'referer', 'origin'],
  ),
  fc.oneof(fc.constantFrom('evil.example', 'http', 'https', 'shop.example:444'), trick),
)

const headersOf = (pairs: readonly (readonly [string, string])[]): Headers => {
  const headers = new Headers({ accept: 'text/html', 'sec-fetch-site': 'same-origin' })
  for (const [name, value] of pairs) {
    // What no request can carry is no case.
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) headers.set(name, value)
  }
  return headers
}

interface Case {
  prefix: string
  parameters: [string, string][]
  headers: [string, string][]
  cartUrl: string
  baseUrl: string
  /** The site that the cart was created on. */
  siteId: 1 | 2
  isOfAccount: boolean
  isLoggedIn: boolean
}

const arbitraryCase: fc.Arbitrary<Case> = fc.record({
  prefix: fc.oneof(fc.constantFrom('', '/de', '/api'), trick),
  parameters: fc.array(parameter, { maxLength: 3 }),
  headers: fc.array(header, { maxLength: 2 }),
  cartUrl: fc.oneof(fc.constant('/cart'), trick),
  baseUrl: fc.oneof(fc.constantFrom(shop, `${shop}/de`, 'https://far.example'), trick),
  siteId: fc.constantFrom(1, 2),
  isOfAccount: fc.constantFrom(false, false, true),
  isLoggedIn: fc.boolean(),
})

/** It leads somewhere, whatever the others do. */
const plainCase: Case = {
  prefix: '',
  parameters: [],
  headers: [],
  cartUrl: '/cart',
  baseUrl: `${shop}/de`,
  siteId: 1,
  isOfAccount: false,
  isLoggedIn: false,
}

/** The URL of an action below some path; undefined when the text makes none of the shop's. */
function actionUrl(prefix: string, action: string, query = ''): string | undefined {
  const plain = prefix.replaceAll(/[?#]/g, '')
  const url = `${shop}${plain === '' || plain.startsWith('/') ? '' : '/'}${plain}/actions/${action}${query}`
  return URL.canParse(url) && new URL(url).origin === shop ? url : undefined
}

/** As a merchant's setting says it, by the standard that all browsers read URLs by. */
const plainOrigin = (url: string): string[] =>
  /^https?:/i.test(url) && URL.canParse(url) && new URL(url).username === ''
    ? [new URL(url).origin]
    : []

/** Where an answer may lead: to a site, to its cart, or to where it was asked. */
function allowedOrigins(request: Request, sites: readonly Site[]): Set<string> {
  const host = request.headers.get('host')
  const schemes = host === null ? [] : [`https://${host}`]
  return new Set([
    new URL(request.url).origin,
    ...schemes.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin),
    ...sites.flatMap(({ baseUrl, cartUrl }) => [...plainOrigin(baseUrl), ...plainOrigin(cartUrl)]),
  ])
}

/** Every place that an answer leads to: its Location, and the button of a page. */
async function placesIn(response: Response): Promise<string[]> {
  const location = response.headers.get('location')
  if (location !== null) return [location]
  if (response.status !== 200) return []
  const html = await response.text()
  return [...html.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, url = '']) =>
    url.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
  )
}

describe('Redirects of the front door', () => {
  let login: string
  /** What the sites of the store are at the moment. */
  let sites: readonly Site[] = []
  const numbers = new Map<string, string>()

  const store = sharedStore(anyKind, {
    options: { mapSite: ({ id }) => sites.find((site) => site.id === id) },
    config: { serverURL: shop },
  })
  beforeAll(async () => {
    const { payload } = store
    const users = await Promise.all(
      [zofia, daniel].map((data) => payload.create({ collection: 'users', data })),
    )
    for (const siteId of [1, 2]) {
      const data = { name: 'Tea', handle: `site-${siteId}`, baseUrl: `${shop}/${siteId}` }
      const { id: site } = await payload.create({ collection: 'sites', data })
      expect(site).toBe(siteId)
      for (const customer of [undefined, users[0]?.id]) {
        const cart = { items: [], site, customer }
        const { number } = await payload.create({ collection: 'carts', data: cart })
        numbers.set(`${siteId} ${customer !== undefined}`, String(number))
      }
    }
  })
  beforeEach(async () => {
    const users = { collection: 'users', where: { email: { equals: daniel.email } } } as const
    await store.payload.update({ ...users, data: { sessions: [] } })
    const { token } = await store.payload.login({ collection: 'users', data: daniel })
    login = `payload-token=${token}`
  })

  function setSites({ baseUrl, cartUrl }: Pick<Case, 'baseUrl' | 'cartUrl'>): void {
    sites = [
      aSite({ id: 1, baseUrl: shop, primary: true, cartUrl }),
      aSite({ id: 2, baseUrl, cartUrl }),
    ]
    partsOf(store.payload).sites.forget()
  }
  const numberOf = ({ siteId, isOfAccount }: Pick<Case, 'siteId' | 'isOfAccount'>) =>
    numbers.get(`${siteId} ${isOfAccount}`) ?? ''

  /** The session that an answer leaves, as the visitor's next request has it. */
  const sessionIn = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0] ?? '')
      .find((pair) => pair.startsWith('__Host-storeconnect=')) ?? ''
  const sessionOf = (cookie: string) =>
    partsOf(store.payload).sessions.open({ url: shop, headers: new Headers({ cookie }) })

  async function expectOnlyOwn(request: Request) {
    const allowed = allowedOrigins(request, sites)
    const response = await store.handle(request, { address: '192.0.2.1' })
    const places = await placesIn(response)
    for (const place of places) {
      // As browsers read it, from where they are.
      const target = new URL(place, request.url)
      expect(['https:', 'http:']).toContain(target.protocol)
      expect(allowed).toContain(target.origin)
      expect([target.username, target.password]).toEqual(['', ''])
      expect(place).not.toMatch(/^\/[/\\]|[\r\n\t]/)
    }
    return { response, places }
  }

  it(
    'lead from a restore link to the sites and their carts alone',
    async () => {
      let led = 0
      await fc.assert(
        fc.asyncProperty(arbitraryCase, async (made) => {
          const query = `?${new URLSearchParams([['number', numberOf(made)], ...made.parameters])}`
          const url = actionUrl(made.prefix, restorePath, query)
          fc.pre(url !== undefined)
          setSites(made)
          const headers = headersOf(made.headers)
          if (made.isLoggedIn) headers.set('cookie', login)
          const { response, places } = await expectOnlyOwn(new Request(url, { headers }))
          led += places.length
          // What login goes back to is never more than a path.
          const { returnUrl = '/' } = (await sessionOf(sessionIn(response))).data
          expect(returnUrl).toMatch(/^\/(?![/\\])/)
          expect(new URL(returnUrl, shop).origin).toBe(shop)
        }),
        { numRuns: links, examples: [[plainCase]] },
      )
      // A front door that answers nothing proves nothing.
      expect(led).toBeGreaterThan(0)
    },
    propertyTimeoutMs,
  )

  it(
    'lead from login and logout to what was signed, or to a page of the shop',
    async () => {
      let led = 0
      const { csrf, redirects } = partsOf(store.payload).forms
      const redirect = fc.oneof(
        trick,
        mutationsOf(redirects.sign('/account')),
        fc.constant(redirects.sign('/a')),
      )
      const arbitraryPost = fc.tuple(
        arbitraryCase,
        fc.constantFrom('users/login', 'users/logout'),
        fc.record({ redirect, before: trick }, { requiredKeys: [] }),
      )
      await fc.assert(
        fc.asyncProperty(arbitraryPost, async ([made, action, form]) => {
          const url = actionUrl(made.prefix, action)
          fc.pre(url !== undefined)
          setSites(made)
          // As a link on the way would leave it.
          const cookie = form.before === undefined ? '' : await cookieAfterLink(form.before)
          const session = await sessionOf(cookie)
          session.keep()
          const own = (await session.cookie())?.split(';')[0] ?? cookie
          const names = ['redirect', 'email', 'password']
          const parameters = made.parameters.filter(([name]) => !names.includes(name))
          const body = new URLSearchParams([...parameters, ...Object.entries(daniel)])
          body.set('CSRF_TOKEN', csrf.issue(session.data.id))
          if (form.redirect !== undefined) body.set('redirect', form.redirect)
          // A form says what it is, whatever else is said.
          const headers = headersOf(made.headers)
          headers.set('content-type', 'application/x-www-form-urlencoded')
          headers.set('cookie', made.isLoggedIn ? `${own}; ${login}` : own)
          led += (await expectOnlyOwn(new Request(url, { method: 'POST', body, headers }))).places
            .length
        }),
        { numRuns: posts, examples: [[[plainCase, 'users/logout', {}]]] },
      )
      expect(led).toBeGreaterThan(0)
    },
    propertyTimeoutMs,
  )

  /** The cookie of a logged-out visitor who opened the link of an account's cart below some path. */
  async function cookieAfterLink(prefix: string): Promise<string> {
    const number = numberOf({ siteId: 1, isOfAccount: true })
    const url = actionUrl(prefix, restorePath, `?number=${number}`)
    return url === undefined ? '' : sessionIn(await store.handle(new Request(url)))
  }

  it('are looked at: a Cart URL on another host is a place that is led to', async () => {
    const cartUrl = 'https://carts.example/basket'
    setSites({ baseUrl: shop, cartUrl })
    // Nobody has logged in with this cart, whatever ran before.
    const { number } = await store.payload.create({
      collection: 'carts',
      data: { items: [], site: 1 },
    })
    const link = new Request(`${shop}/actions/${restorePath}?number=${String(number)}`)
    expect(await placesIn(await store.handle(link))).toEqual([cartUrl])
  })
})
