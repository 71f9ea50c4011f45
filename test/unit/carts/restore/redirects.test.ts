import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { realEffects } from '../../../../src/effects.js'
import { formAction, type FormParts } from '../../../../src/http/form-action.js'
import { createFrontDoor, webHandle, type Handle } from '../../../../src/http/front-door.js'
import { createRestore } from '../../../../src/carts/restore/restore-action.js'
import { createLogin } from '../../../../src/accounts/login-action.js'
import { createLogout } from '../../../../src/accounts/logout-action.js'
import { currentSite } from '../../../../src/sites/sites.js'
import type { Site } from '../../../../src/sites/site.js'
import { createCsrfTokens } from '../../../../src/http/csrf.js'
import { createRestoreLinks, restorePath } from '../../../../src/carts/restore-link.js'
import { createOwnOrigins } from '../../../../src/http/same-site.js'
import type { SessionData, Sessions } from '../../../../src/http/session.js'
import { createSignedRedirects } from '../../../../src/http/redirect-target.js'
import type { Carts } from '../../../../src/carts/carts.js'
import type { Visitor } from '../../../../src/http/visit.js'
import { mutationsOf } from '../../../support/mutations.js'
import { propertyRuns, propertyTimeoutMs } from '../../../support/property-runs.js'
import { aSite } from '../../sites/a-site.js'

/** Half of the targets come by a link, half by a form. */
const runs = propertyRuns / 2

const secret = 'a secret of the store'
const number = '0123456789abcdef0123456789abcdef'
const shop = 'https://shop.example'
const now = () => new Date()
const silent = () => undefined
const nothing = () => Promise.resolve()

const csrf = createCsrfTokens({ secret, effects: realEffects })
const redirects = createSignedRedirects({ secret })
const form: FormParts = { csrf, redirects, isOwnOrigin: createOwnOrigins([shop]) }
const links = createRestoreLinks({ secret, now })
const daniel: Visitor = {
  id: 8,
  collection: 'users',
  document: { id: 8 },
}

/** What one generated visit finds. */
interface World {
  sites: readonly Site[]
  /** The site that the cart was created on. */
  siteId: number
  /** Whose the cart is. */
  customerId: number | undefined
  visitor: Visitor | undefined
  session: SessionData
}

const carts: Carts = {
  find: () => Promise.resolve(undefined),
  findForBrowser: () => Promise.resolve(undefined),
  update: () => Promise.reject(new Error('Nobody changes a cart here.')),
  isOfAnotherCommerceStore: () => Promise.resolve(false),
  adopt: nothing,
  identify: nothing,
  forgetVisitor: nothing,
}

/** The whole front door, in front of a store that is not there. */
function openDoor(world: World): Handle {
  const sites = {
    at: (url: string) => Promise.resolve(currentSite(world.sites, url)),
    find: (id: unknown) => Promise.resolve(world.sites.find((site) => site.id === id)),
  }
  const users = {
    logIn: () => Promise.resolve({ visitor: daniel, cookie: 'payload-token=x' }),
    logOut: () => Promise.resolve({ cookie: 'payload-token=', wasLoggedIn: true }),
  }
  const throttle = {
    try: () => Promise.resolve(0),
    succeeded: nothing,
    lastOfKind: () => Promise.resolve(undefined),
  }
  const restore = createRestore({
    abandonedCarts: {
      find: () => {
        const { siteId, customerId } = world
        return Promise.resolve({ id: 7, number, siteId, customerId })
      },
      isAbleToLogIn: () => Promise.resolve(true),
      isCustomer: (visitor, id) => visitor?.id === id,
      handOver: nothing,
      addCoupon: nothing,
    },
    carts,
    sites,
    links,
    texts: () => texts,
    csrf,
    redirects,
    options: {},
    loginPath: '/login',
    log: { info: silent, warn: silent, error: silent },
  })
  const door = createFrontDoor({
    actions: {
      [restorePath]: restore,
      'users/login': formAction(
        form,
        createLogin({ users, carts, sites, throttle, texts: () => texts }),
      ),
      'users/logout': formAction(form, createLogout({ users, sites, texts: () => texts })),
    },
    log: { info: silent, warn: silent, error: silent },
    effects: realEffects,
    sessions: plainSessions(world),
    visitorOf: () => Promise.resolve(world.visitor),
  })
  return webHandle(door)
}

const texts = {
  language: 'en',
  isOfBrowser: true,
  logIn: { heading: 'Log In', explanation: '', button: 'Log In' },
  logOut: { heading: 'Log Out', explanation: '', button: 'Log Out' },
  restored: 'Restored',
  formerCartKept: 'Kept',
  cartUpdated: 'Updated',
  loggedIn: 'In',
  loggedOut: 'Out',
  loginRefused: 'No',
  refusal: () => 'Refused',
  toShop: 'Shop',
  problem: () => undefined,
}

/** One session, kept as it is: sealing a million cookies is not what is tried here. */
const plainSessions = (world: World): Sessions => ({
  open: () =>
    Promise.resolve({
      get data() {
        return world.session
      },
      change(changes) {
        world.session = { ...world.session, ...(changes as Partial<SessionData>) }
      },
      renew: silent,
      keep: silent,
      cookie: () => Promise.resolve(undefined),
    }),
})

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
  siteId: number
  customerId: number | undefined
  visitor: Visitor | undefined
  redirect: string | undefined
  returnUrl: string | undefined
}

const arbitraryCase: fc.Arbitrary<Case> = fc.record({
  prefix: fc.oneof(fc.constantFrom('', '/de', '/api'), trick),
  parameters: fc.array(parameter, { maxLength: 3 }),
  headers: fc.array(header, { maxLength: 2 }),
  cartUrl: fc.oneof(fc.constant('/cart'), trick),
  baseUrl: fc.oneof(fc.constantFrom(shop, `${shop}/de`, 'https://far.example'), trick),
  siteId: fc.constantFrom(1, 2),
  customerId: fc.constantFrom(undefined, undefined, 5),
  visitor: fc.constantFrom(undefined, daniel),
  redirect: fc.option(
    fc.oneof(trick, mutationsOf(redirects.sign('/account')), fc.constant(redirects.sign('/a'))),
    { nil: undefined },
  ),
  returnUrl: fc.option(trick, { nil: undefined }),
})

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
function allowedOrigins(request: Request, { sites }: World): Set<string> {
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

async function expectOnlyOwn(request: Request, world: World): Promise<string[]> {
  const allowed = allowedOrigins(request, world)
  const response = await openDoor(world)(request, { address: '192.0.2.1' })
  const places = await placesIn(response)
  for (const place of places) {
    // As browsers read it, from where they are.
    const target = new URL(place, request.url)
    expect(['https:', 'http:']).toContain(target.protocol)
    expect(allowed).toContain(target.origin)
    expect([target.username, target.password]).toEqual(['', ''])
    expect(place).not.toMatch(/^\/[/\\]|[\r\n\t]/)
  }
  return places
}

const worldOf = ({ baseUrl, cartUrl, siteId, customerId, visitor }: Case): World => ({
  sites: [
    aSite({ id: 1, baseUrl: shop, primary: true, cartUrl }),
    aSite({ id: 2, baseUrl, cartUrl }),
  ],
  siteId,
  customerId,
  visitor,
  session: { id: 'a-session-of-the-visitor' },
})

describe('Redirects of the front door', () => {
  it(
    'lead from a restore link to the sites and their carts alone',
    async () => {
      let led = 0
      await fc.assert(
        fc.asyncProperty(arbitraryCase, async (made) => {
          const query = `?${new URLSearchParams([['number', number], ...made.parameters])}`
          const url = actionUrl(made.prefix, restorePath, query)
          fc.pre(url !== undefined)
          const request = new Request(url, { headers: headersOf(made.headers) })
          const world = worldOf(made)
          led += (await expectOnlyOwn(request, world)).length
          // What login goes back to is never more than a path.
          const { returnUrl = '/' } = world.session
          expect(returnUrl).toMatch(/^\/(?![/\\])/)
          expect(new URL(returnUrl, shop).origin).toBe(shop)
        }),
        { numRuns: runs },
      )
      // Most cases do lead somewhere; a front door that answers nothing proves nothing.
      expect(led).toBeGreaterThan(runs / 3)
    },
    propertyTimeoutMs,
  )

  it(
    'lead from login and logout to what was signed, or to a page of the shop',
    async () => {
      let led = 0
      const arbitraryPost = fc.tuple(arbitraryCase, fc.constantFrom('users/login', 'users/logout'))
      await fc.assert(
        fc.asyncProperty(arbitraryPost, async ([made, action]) => {
          const url = actionUrl(made.prefix, action)
          fc.pre(url !== undefined)
          const world = worldOf(made)
          // As a link on the way would leave it.
          if (made.returnUrl !== undefined) await visitLink(made.returnUrl, world)
          const body = new URLSearchParams(made.parameters.filter(([name]) => name !== 'redirect'))
          body.set('CSRF_TOKEN', csrf.issue(world.session.id))
          if (made.redirect !== undefined) body.set('redirect', made.redirect)
          const request = new Request(url, {
            method: 'POST',
            body,
            headers: formHeaders(made.headers),
          })
          led += (await expectOnlyOwn(request, world)).length
        }),
        { numRuns: runs },
      )
      expect(led).toBeGreaterThan(runs / 3)
    },
    propertyTimeoutMs,
  )

  it('are looked at: a Cart URL on another host is a place that is led to', async () => {
    const cartUrl = 'https://carts.example/basket'
    const world = { ...worldOf(anyCase), sites: [aSite({ primary: true, cartUrl })] }
    const link = new Request(`${shop}/actions/${restorePath}?number=${number}`)
    expect(await placesIn(await openDoor(world)(link))).toEqual([cartUrl])
  })
})

const anyCase: Case = {
  prefix: '',
  parameters: [],
  headers: [],
  cartUrl: '/cart',
  baseUrl: shop,
  siteId: 1,
  customerId: undefined,
  visitor: undefined,
  redirect: undefined,
  returnUrl: undefined,
}

/** Has a logged-out visitor open the link of an account's cart below some path. */
async function visitLink(prefix: string, world: World): Promise<void> {
  const url = actionUrl(prefix, restorePath, `?number=${number}`)
  if (url === undefined) return
  const owned = { ...world, customerId: 5, visitor: undefined, siteId: 1 }
  await openDoor(owned)(new Request(url))
  world.session = owned.session
}

/** A form says what it is, whatever else is said. */
function formHeaders(pairs: readonly (readonly [string, string])[]): Headers {
  const headers = headersOf(pairs)
  headers.set('content-type', 'application/x-www-form-urlencoded')
  return headers
}
