import { describe, expect, it } from 'vitest'
import { realEffects } from '../../../../src/effects.js'
import { createRestore, type RestoreParts } from '../../../../src/carts/restore/restore-action.js'
import type { Visit, Visitor } from '../../../../src/http/visit.js'
import type { Site } from '../../../../src/sites/site.js'
import { createCsrfTokens } from '../../../../src/http/csrf.js'
import { readParameters } from '../../../../src/http/parameters.js'
import { createRestoreLinks, restorePath } from '../../../../src/carts/restore-link.js'
import { createSessions } from '../../../../src/http/session.js'
import { createSignedRedirects } from '../../../../src/http/redirect-target.js'
import type { AbandonedCart } from '../../../../src/carts/restore/abandoned-carts.js'
import { createPageTexts } from '../../../../src/translations/page-texts.js'

const secret = 'a secret of the store'
const number = '0123456789abcdef0123456789abcdef'
const origin = 'https://shop.example'

const main: Site = {
  id: 1,
  handle: 'main',
  name: 'Tea & Ink',
  baseUrl: origin,
  enabled: true,
  primary: true,
  store: 'tea',
  cartUrl: '/cart',
  language: '',
}

const redirects = createSignedRedirects({ secret })
const now = () => new Date()
const nothing = () => Promise.resolve()
const silent = () => undefined

interface World {
  customerId: number
  visitor: Visitor
}

function partsOf({ customerId }: World): RestoreParts {
  const cart: AbandonedCart = {
    id: 7,
    number,
    siteId: main.id,
    customerId,
  }
  const translations = {}
  return {
    abandonedCarts: {
      find: () => Promise.resolve(cart),
      isAbleToLogIn: () => Promise.resolve(true),
      isCustomer: (visitor, id) => visitor?.collection === 'users' && visitor.id === id,
      handOver: nothing,
      addCoupon: nothing,
    },
    carts: {
      find: () => Promise.resolve(undefined),
      isOfAnotherCommerceStore: () => Promise.resolve(false),
    },
    sites: {
      at: () => Promise.resolve(main),
      find: () => Promise.resolve(main),
    },
    links: createRestoreLinks({ secret, now }),
    texts: createPageTexts({
      config: { i18n: { fallbackLanguage: 'en', translations } },
    } as unknown as Parameters<typeof createPageTexts>[0]),
    csrf: createCsrfTokens({ secret, effects: realEffects }),
    redirects,
    options: {},
    loginPath: '/login',
    log: { info: silent, warn: silent, error: silent },
  }
}

async function open(world: World): Promise<Response> {
  const request = new Request(link)
  const session = await createSessions({ secret, effects: realEffects }).open(request)
  const visit: Visit = {
    request,
    requestId: 'a-request',
    clientIp: undefined,
    parameters: () => readParameters(request),
    flatParameter: () => Promise.resolve(undefined),
    session: () => Promise.resolve(session),
    visitor: () => Promise.resolve(world.visitor),
  }
  return createRestore(partsOf(world))(visit)
}

const staff: Visitor = {
  id: 5,
  collection: 'staff',
  document: {},
}
const link = `${origin}/actions/${restorePath}?number=${number}`

describe('createRestore', () => {
  it('asks staff of another collection to log out, whatever their id', async () => {
    const response = await open({ customerId: 5, visitor: staff })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('<h1>Log Out to Continue</h1>')
    const own = { ...staff, collection: 'users' }
    expect((await open({ customerId: 5, visitor: own })).status).toBe(302)
  })
})
