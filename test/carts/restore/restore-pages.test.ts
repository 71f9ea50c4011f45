import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RestorePage } from '../../../src/carts/restore-options.js'
import { translations } from '../../../src/translations/translations.js'
import { anyKind, type TestStore } from '../../support/store.js'
import {
  openVisitorBrowser,
  shopOrigin,
  type VisitorBrowser,
} from '../../support/visitor-browser.js'
import {
  buttonOn,
  cartPath,
  codeOf,
  daniel,
  linkTo,
  loginPath,
  openRestoreWorld,
  type RestoreWorld,
  type StoredCart,
} from './restore-world.js'

const german = {
  restoreNotice: 'Ihr Warenkorb ist wieder da.',
  restoreLogOutHeading: 'Abmelden und weiter',
  restoreLogInHeading: 'Anmelden',
  restoreLogInButton: 'Zur Anmeldung',
}

describe('The pages of a restored cart', () => {
  let world: RestoreWorld
  let theirs: StoredCart

  beforeAll(async () => {
    world = await openRestoreWorld(anyKind)
    theirs = await world.leave({ customer: world.users.zofia })
  })
  afterAll(() => world.close())

  const loggedInTo = async (shop: Pick<TestStore, 'handle'>): Promise<VisitorBrowser> => {
    const visitor = openVisitorBrowser(shop.handle)
    await visitor.post(loginPath, daniel, { ajax: true })
    return visitor
  }
  const pageOf = async (visitor: VisitorBrowser, path = linkTo(theirs)) => {
    const response = await visitor.get(path)
    expect(response.status).toBe(200)
    return { response, html: await response.text() }
  }

  it('have the name of the store and its language, and need no script', async () => {
    for (const visitor of [world.browser(), await loggedInTo(world.store)]) {
      const { html } = await pageOf(visitor)
      expect(html).toContain('<html lang="en">')
      expect(html).toMatch(/<title>Log (?:In|Out to Continue) · The main shop<\/title>/)
      expect(html).toContain('<p class="brand">The main shop</p>')
      expect(html).not.toMatch(/<script|<link|<img|\sstyle=|\son\w+=/i)
    }
  })

  it('are kept by nobody, listed nowhere, and framed by nobody', async () => {
    const policies: Record<string, string> = {}
    for (const [name, visitor] of Object.entries({
      logIn: world.browser(),
      logOut: await loggedInTo(world.store),
    })) {
      const { headers } = (await pageOf(visitor)).response
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('content-type')).toBe('text/html; charset=UTF-8')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self' https:\/\/shop\.example; base-uri 'none'; frame-ancestors 'none'$/,
      )
      policies[name] = headers.get('referrer-policy') ?? ''
    }
    // Some browsers tell a post's origin only to where they would also tell its page.
    expect(policies).toEqual({ logIn: 'no-referrer', logOut: 'same-origin' })
  })

  it('reveal the link to nobody, nor do redirects and errors', async () => {
    const cart = await world.leave()
    const paths = [linkTo(cart), linkTo({ number: 'junk' }), cartPath]
    for (const path of paths) {
      const { headers } = await world.browser().get(path)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('cache-control')).toBe('no-store')
      if (headers.has('x-error-code')) {
        expect(headers.get('content-security-policy')).not.toContain('unsafe')
      }
    }
  })

  it('say nothing of whose cart it is and what it holds', async () => {
    for (const visitor of [world.browser(), await loggedInTo(world.store)]) {
      const { html } = await pageOf(visitor)
      const plain = html.replaceAll(theirs.number, '')
      expect(plain).not.toMatch(/zofia|daniel|green tea|12\.50|1250|customer/i)
    }
  })

  it('lead to a path below the base URL of the site, and back', async () => {
    const cart = await world.leave({ site: world.sites.german, customer: world.users.zofia })
    const visitor = world.browser()
    const { html } = await pageOf(visitor, `/de${linkTo(cart)}`)
    expect(buttonOn(html).action).toBe(`${shopOrigin}/de/login`)
    expect((await visitor.session()).returnUrl).toBe(`/de${linkTo(cart)}`)

    const other = await loggedInTo(world.store)
    const { action, fields } = buttonOn((await pageOf(other, `/de${linkTo(cart)}`)).html)
    expect(action).toBe('/de/actions/users/logout')
    const { CSRF_TOKEN: token, ...others } = fields
    const loggedOut = await other.post(action, others, { token: String(token) })
    expect(loggedOut.headers.get('location')).toBe(`/de${linkTo(cart)}`)
  })

  it('never lead to another host, whatever path the link came by', async () => {
    const visitor = world.browser()
    const link = `//evil.example${linkTo(theirs)}`
    const response = await world.open(shopOrigin + link)
    expect(response.status).toBe(200)
    await visitor.get(link)
    expect((await visitor.session()).returnUrl).toBe(link.slice(1))
    const { html } = await pageOf(await loggedInTo(world.store), link)
    expect(buttonOn(html).action).toBe('/evil.example/actions/users/logout')
  })

  it('remember a link without its campaign when that is too long for a cookie', async () => {
    const visitor = world.browser()
    const long = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`utm_x${index}`, 'ü'.repeat(200)]),
    )
    await pageOf(visitor, linkTo(theirs, long))
    expect((await visitor.session()).returnUrl).toBe(linkTo(theirs))
    const farAway = `/${'x'.repeat(4000)}${linkTo(theirs)}`
    expect((await world.open(shopOrigin + farAway)).status).toBe(200)
  })

  it("send to the store's own login, with its query", async () => {
    const shop = await world.join({ loginPath: 'https://id.example/login?client=1&x=2' })
    const { html } = await pageOf(openVisitorBrowser(shop.handle))
    expect(buttonOn(html).action).toBe('https://id.example/login?client=1&x=2')
  })

  it('do not let a store start whose login path leads nowhere', async () => {
    await expect(world.join({ loginPath: '//evil.example' })).rejects.toThrow(
      /loginPath must be a path or an http\(s\) URL/,
    )
  })

  it("speak the site's language, in the store's own words where it has some", async () => {
    const shop = await world.join(
      {},
      { config: { i18n: { translations: { de: { storeconnect: german } } } } },
    )
    const cart = await world.leave({ site: world.sites.german, customer: world.users.zofia })
    const { html } = await pageOf(openVisitorBrowser(shop.handle), `/de${linkTo(cart)}`)
    expect(html).toContain('<html lang="de">')
    expect(html).toContain('<h1>Anmelden</h1>')
    expect(html).toContain('>Zur Anmeldung</a>')
    // What the store did not write itself.
    expect(html).toContain('Dieser Warenkorb gehört zu einem Konto.')

    const guests = await world.leave({ site: world.sites.german })
    const visitor = openVisitorBrowser(shop.handle)
    await visitor.get(`/de${linkTo(guests)}`)
    expect((await visitor.session()).flash).toEqual([
      { kind: 'notice', text: 'Ihr Warenkorb ist wieder da.' },
    ])
    const plain = await pageOf(world.browser(), `/de${linkTo(cart)}`)
    expect(plain.html).toContain('<html lang="de">')
    expect(plain.html).toContain('>Anmelden</a>')
    expect(plain.response.headers.get('content-language')).toBe('de')
    // The site decides, whatever the browser speaks.
    expect(plain.response.headers.get('vary')).toBeNull()
  })

  it("speak the browser's language where the site names none and the store supports it", async () => {
    const shop = await world.join({}, { config: { i18n: { supportedLanguages: { de, en } } } })
    const cart = await world.leave({ customer: world.users.zofia })
    const ask = async (language: string) => {
      const headers = { 'accept-language': language }
      const response = await shop.handle(new Request(shopOrigin + linkTo(cart), { headers }))
      expect(response.headers.get('vary')).toBe('Accept-Language')
      const spoken = /<html lang="(\w+)">/.exec(await response.text())?.[1]
      expect(response.headers.get('content-language')).toBe(spoken)
      return spoken
    }
    expect(await ask('de-AT,de;q=0.9,en;q=0.5')).toBe('de')
    expect(await ask('fr, nb;q=0.9, de;q=0.5')).toBe('de')
    expect(await ask('en-GB, de;q=0.9')).toBe('en')
    expect(await ask('de;q=0, fr')).toBe('en')
    expect(await ask('*')).toBe('en')
  })

  it("say no in the site's language, and show the way to the shop", async () => {
    const own = {
      storeconnect: {
        restoreCompleted: 'Dieser Warenkorb ist schon gekauft.',
        restoreToShop: 'Zum Shop',
      },
    }
    const shop = await world.join({}, { config: { i18n: { translations: { de: own } } } })
    const visitor = openVisitorBrowser(shop.handle)
    const cart = await world.leave({
      site: world.sites.german,
      purchasedAt: new Date().toISOString(),
    })
    const refused = await visitor.get(`/de${linkTo(cart)}`)
    expect(codeOf(refused)).toEqual([400, 'CART_COMPLETED'])
    const html = await refused.text()
    expect(html).toContain('<html lang="de">')
    expect(html).toContain(
      '<title>400: Dieser Warenkorb ist schon gekauft. · The german shop</title>',
    )
    expect(html).toContain('<p class="brand">The german shop</p>')
    expect(html).toContain('<h1>Dieser Warenkorb ist schon gekauft.</h1>')
    expect(html).toContain(`<a class="button" href="${shopOrigin}/de/">Zum Shop</a>`)

    const unknown = await (await visitor.get(`/de${linkTo({ number: 'x' })}`)).text()
    expect(unknown).toContain('<h1>Zu diesem Link gibt es keinen Warenkorb.</h1>')
    expect(await (await visitor.get(linkTo(cart))).text()).toContain('<html lang="en">')
  })

  it.each(['de', 'en'] as const)(
    'say in %s to who opens half a link what to do about it',
    async (language) => {
      const shop = await world.join({}, { config: { i18n: { supportedLanguages: { de, en } } } })
      const headers = { 'accept-language': language }
      const response = await shop.handle(new Request(shopOrigin + cartPath, { headers }))
      expect(codeOf(response)).toEqual([400, 'CART_NUMBER_MISSING'])
      const said = translations[language]?.restoreNumberMissing
      expect(await response.text()).toContain(`<h1>${said}</h1>`)
    },
  )

  it('say to a script in English why not', async () => {
    const headers = { accept: 'application/json' }
    const response = await world.open(shopOrigin + cartPath, { headers })
    expect(codeOf(response)).toEqual([400, 'CART_NUMBER_MISSING'])
    expect(await response.json()).toEqual({
      errors: [{ message: 'The parameter "number" is missing.' }],
    })
  })

  it('can be pages of the store', async () => {
    const pages: RestorePage[] = []
    const shop = await world.join({
      restore: {
        pages: {
          logIn: (page) => {
            pages.push(page)
            return `<h1 style="color: teal">${page.heading}</h1>`
          },
          logOut: (page) => {
            pages.push(page)
            const headers = {
              'content-security-policy': "script-src 'self'",
              'cache-control': 'public',
            }
            return Promise.resolve(new Response(page.button, { status: 403, headers }))
          },
        },
      },
    })
    const logIn = await pageOf(openVisitorBrowser(shop.handle))
    expect(logIn.html).toBe('<h1 style="color: teal">Log In</h1>')
    expect(logIn.response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self' 'unsafe-inline'; form-action 'self' /,
    )

    const visitor = await loggedInTo(shop)
    const logOut = await visitor.get(linkTo(theirs))
    expect([logOut.status, await logOut.text()]).toEqual([403, 'Log Out to Continue'])
    expect(logOut.headers.get('content-security-policy')).toBe("script-src 'self'")
    expect(logOut.headers.get('cache-control')).toBe('no-store')
    expect(logOut.headers.get('x-robots-tag')).toBe('noindex')

    expect(pages[0]).toMatchObject({
      site: { handle: 'main', name: 'The main shop' },
      language: 'en',
      form: { method: 'get', action: `${shopOrigin}/login`, fields: [] },
    })
    expect(pages[1]?.form).toEqual({
      method: 'post',
      action: '/actions/users/logout',
      fields: [
        { name: 'CSRF_TOKEN', value: expect.any(String) as string },
        { name: 'redirect', value: world.signed(linkTo(theirs)) },
      ],
    })
  })

  it("answer like any failure when the store's own page fails", async () => {
    const shop = await world.join({
      restore: {
        pages: {
          logIn: () => {
            throw new Error('The template is missing.')
          },
        },
      },
    })
    world.log.clear()
    const response = await openVisitorBrowser(shop.handle).get(linkTo(theirs))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('template')
    expect(world.log.text()).toContain('The template is missing.')
    expect(world.log.text()).not.toContain(theirs.number)
  })
})
