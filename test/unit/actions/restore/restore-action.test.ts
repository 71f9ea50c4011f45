import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRestore, type RestoreParts } from '../../../../src/actions/restore/restore-action.js'
import type { Visit } from '../../../../src/actions/visit.js'
import type { Site } from '../../../../src/commerce/site.js'
import { createCsrfTokens } from '../../../../src/http/csrf.js'
import { readParameters } from '../../../../src/http/parameters.js'
import { createRestoreLinks, restorePath } from '../../../../src/http/restore-link.js'
import { createSessions, type Session } from '../../../../src/http/session.js'
import { createSignedRedirects } from '../../../../src/http/signed-redirect.js'
import type { LeftCart } from '../../../../src/store/left-carts.js'
import { createPageTexts } from '../../../../src/store/payload/page-texts.js'
import type { Visitor } from '../../../../src/store/visitor.js'
import { mutationsOf } from '../../../support/mutations.js'
import { propertyRuns, propertyTimeoutMs } from '../../../support/property-runs.js'

const secret = 'a secret of the store'
const number = '0123456789abcdef0123456789abcdef'
const origin = 'https://shop.example'

const site = (changes: Partial<Site>): Site => ({
  id: 1,
  handle: 'main',
  name: 'Tea & Ink',
  baseUrl: origin,
  enabled: true,
  primary: true,
  store: 'tea',
  cartUrl: '/cart',
  language: '',
  ...changes,
})
const main = site({})
const german = site({ id: 2, baseUrl: `${origin}/de`, primary: false })

const redirects = createSignedRedirects({ secret })
const now = () => new Date()
const nothing = () => Promise.resolve()
const silent = () => undefined

interface World {
  customerId?: number
  siteId?: number
  visitor?: Visitor
}

function partsOf({ customerId, siteId = 1 }: World): RestoreParts {
  const cart: LeftCart = { id: 7, number, siteId, customerId, hasSecret: true }
  const sites = [main, german]
  const translations = {}
  return {
    leftCarts: {
      find: () => Promise.resolve(cart),
      isAbleToLogIn: () => Promise.resolve(true),
      isCustomer: (visitor, id) => visitor?.collection === 'users' && visitor.id === id,
      handOver: nothing,
      addCoupon: nothing,
    },
    carts: {
      find: () => Promise.resolve(undefined),
      isOfAnotherStore: () => Promise.resolve(false),
    },
    sites: {
      at: () => Promise.resolve(main),
      find: (id) => Promise.resolve(sites.find((one) => one.id === id)),
    },
    links: createRestoreLinks({ secret, now }),
    texts: createPageTexts({
      config: { i18n: { fallbackLanguage: 'en', translations } },
    } as unknown as Parameters<typeof createPageTexts>[0]),
    csrf: createCsrfTokens({ secret }),
    redirects,
    options: {},
    loginPath: '/login',
    log: { info: silent, warn: silent, error: silent },
    now,
  }
}

async function open(
  url: string,
  world: World = {},
): Promise<{ response: Response; session: Session }> {
  const request = new Request(url)
  const session = await createSessions({ secret }).open(request)
  const visit: Visit = {
    request,
    requestId: 'a-request',
    address: undefined,
    parameters: () => readParameters(request),
    session: () => Promise.resolve(session),
    visitor: () => Promise.resolve(world.visitor),
  }
  return { response: await createRestore(partsOf(world))(visit), session }
}

const staff: Visitor = { id: 5, collection: 'staff', profile: {}, document: {} }
const link = `${origin}/actions/${restorePath}?number=${number}`

describe('createRestore', () => {
  it('asks staff of another collection to log out, whatever their id', async () => {
    const { response } = await open(link, { customerId: 5, visitor: staff })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('<h1>Log Out to Continue</h1>')
    const own = { ...staff, collection: 'users' }
    expect((await open(link, { customerId: 5, visitor: own })).response.status).toBe(302)
  })

  it.each<[string, World, RegExp]>([
    ['the Cart URL', {}, /^https:\/\/shop\.example\/cart(?:\?|$)/],
    ['the other site', { siteId: 2 }, /^https:\/\/shop\.example\/de\/actions\/.+[?&]moved=1$/],
  ])(
    'leads to %s and nowhere else, whatever the link says',
    async (_, world, expected) => {
      await fc.assert(
        fc.asyncProperty(arbitraryLink, async (url) => {
          const { response } = await open(url, world)
          const location = response.headers.get('location') ?? ''
          expect(location).toMatch(expected)
          expect(new URL(location).origin).toBe(origin)
        }),
        { numRuns: propertyRuns },
      )
    },
    propertyTimeoutMs,
  )

  it(
    'sends nobody to another origin after login or logout, whatever the link says',
    async () => {
      const owner = { customerId: 5 }
      await fc.assert(
        fc.asyncProperty(arbitraryLink, async (url) => {
          const loggedOut = await open(url, owner)
          const { returnUrl = '/' } = loggedOut.session.data
          const page = await (await open(url, { ...owner, visitor: staff })).response.text()
          const action = /action="(?<url>[^"]*)"/.exec(page)?.groups?.url ?? ''
          const signed = /name="redirect" value="(?<value>[^"]*)"/.exec(page)?.groups?.value ?? ''
          const redirect = redirects.read(signed.replaceAll('&amp;', '&')) ?? ''
          for (const path of [returnUrl, action, redirect]) {
            expect(path.startsWith('/')).toBe(true)
            expect(new URL(path, origin).origin).toBe(origin)
          }
        }),
        { numRuns: propertyRuns },
      )
    },
    propertyTimeoutMs,
  )
})

const trick = fc.oneof(
  fc.constantFrom('//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:x'),
  fc.string({ unit: 'binary', maxLength: 40 }),
  mutationsOf('https://evil.example/cart?moved=1#x'),
)

const parameter = fc.tuple(
  fc.constantFrom('coupon', 'expires', 'signature', 'utm_source', '_kx', 'redirect', 'returnUrl'),
  trick.map((text) => text.toWellFormed().replaceAll('\0', '')),
)

/** A link of the cart by some path, with parameters that mean something and nothing. */
const arbitraryLink = fc
  .tuple(trick, fc.array(parameter, { maxLength: 4 }))
  .map(([prefix, parameters]) => {
    const query = new URLSearchParams([['number', number], ...parameters])
    const plain = prefix.toWellFormed().replaceAll(/[?#]/g, '')
    const path = `${plain.startsWith('/') ? '' : '/'}${plain}/actions/${restorePath}`
    return `${origin}${path}?${query}`
  })
  .filter((url) => URL.canParse(url) && new URL(url).origin === origin)
