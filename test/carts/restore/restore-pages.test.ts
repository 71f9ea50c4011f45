import { createHash } from 'node:crypto'
import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RestorePage } from '../../../src/carts/restore-options.js'
import { allTranslations } from '../../../src/core/translations/translations.js'
import { anyKind, type TestStore } from '../../support/store.js'
import { shopOrigin, signed, type TestBrowser } from '../../support/browser.js'
import {
  buttonOn,
  cartPath,
  codeOf,
  daniel,
  linkTo,
  loginPath,
  restoreWorld,
  type StoredCart,
} from './restore-world.js'

const translations = await allTranslations()

const german = {
  restoreNotice: 'Ihr Warenkorb ist wieder da.',
  restoreLogOutHeading: 'Abmelden und weiter',
  restoreLogInHeading: 'Anmelden',
  restoreLogInButton: 'Zur Anmeldung',
  restoreCompleted: 'Dieser Warenkorb ist schon gekauft.',
  restoreToShop: 'Zum Shop',
}

describe('The pages of a restored cart', () => {
  let theirs: StoredCart

  const world = restoreWorld(anyKind)
  beforeAll(async () => {
    theirs = await world.leave({ customer: world.users.zofia })
  })

  const loggedInTo = async (shop: TestStore): Promise<TestBrowser> => {
    const visitor = shop.aBrowser()
    await visitor.post(loginPath, daniel, { ajax: true })
    return visitor
  }
  const pageOf = async (visitor: TestBrowser, path = linkTo(theirs)) => {
    const response = await visitor.get(path)
    expect(response.status).toBe(200)
    return { response, html: await response.text() }
  }

  it('have the name of the store and its language, need no script, and are kept, listed and framed by nobody', async () => {
    const policies: unknown[] = []
    for (const visitor of [world.aBrowser(), await loggedInTo(world)]) {
      const { html, response } = await pageOf(visitor)
      expect(html).toContain('<html lang="en">')
      expect(html).toMatch(/<title>Log (?:In|Out to Continue) · The main shop<\/title>/)
      expect(html).toContain('<p class="brand">The main shop</p>')
      expect(html).not.toMatch(/<script|<link|<img|\sstyle=|\son\w+=/i)
      const headers = Object.fromEntries(response.headers)
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'content-type': 'text/html; charset=UTF-8',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self' https:\/\/shop\.example; base-uri 'none'; frame-ancestors 'none'$/,
        ) as string,
      })
      policies.push(headers['referrer-policy'])
    }
    // Some browsers tell a post's origin only to where they would also tell its page.
    expect(policies).toEqual(['no-referrer', 'same-origin'])
  })

  it('reveal the link to nobody, nor do redirects and errors', async () => {
    const cart = await world.leave()
    for (const path of [linkTo(cart), linkTo({ number: 'junk' }), cartPath]) {
      const { headers } = await world.aBrowser().get(path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'cache-control': 'no-store',
      })
      expect(headers.get('content-security-policy') ?? '').not.toContain('unsafe')
    }
  })

  it('lead to a path below the base URL of the site, and back', async () => {
    const cart = await world.leave({ site: world.sites.german, customer: world.users.zofia })
    const link = `/de${linkTo(cart)}`
    const visitor = world.aBrowser()
    expect(buttonOn((await pageOf(visitor, link)).html).action).toBe(
      `${shopOrigin}/de/login?${new URLSearchParams({ redirect: link })}`,
    )
    expect((await visitor.session()).returnUrl).toBe(link)

    const other = await loggedInTo(world)
    const { action, fields } = buttonOn((await pageOf(other, link)).html)
    expect(action).toBe('/de/actions/users/logout')
    const { CSRF_TOKEN: token, ...others } = fields
    const loggedOut = await other.post(action, others, { token: String(token) })
    expect(loggedOut.headers.get('location')).toBe(link)
  })

  it('never lead to another host, whatever path the link came by', async () => {
    const visitor = world.aBrowser()
    const link = `//evil.example${linkTo(theirs)}`
    const response = await world.open(shopOrigin + link)
    expect(response.status).toBe(200)
    await visitor.get(link)
    expect((await visitor.session()).returnUrl).toBe(link.slice(1))
    const { html } = await pageOf(await loggedInTo(world), link)
    expect(buttonOn(html).action).toBe('/evil.example/actions/users/logout')
  })

  it('remember a link without its campaign when that is too long for a cookie', async () => {
    const visitor = world.aBrowser()
    const long = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`utm_x${index}`, 'ü'.repeat(200)]),
    )
    await pageOf(visitor, linkTo(theirs, long))
    expect((await visitor.session()).returnUrl).toBe(linkTo(theirs))
    const farAway = `/${'x'.repeat(4000)}${linkTo(theirs)}`
    expect((await world.open(shopOrigin + farAway)).status).toBe(200)
  })

  it("say to the shop's own login where it leads, unless the login path says it", async () => {
    const actionWith = async (loginPath: string) => {
      const shop = await world.join({ options: { loginPath } })
      return new URL(buttonOn((await pageOf(shop.aBrowser())).html).action).search
    }
    const redirect = String(new URLSearchParams({ redirect: linkTo(theirs) }))
    expect(await actionWith('/account/enter?client=1')).toBe(`?client=1&${redirect}`)
    expect(await actionWith('/login?redirect=/account')).toBe('?redirect=/account')
  })

  it("send to the store's own login, with its query, and let no store start whose login path leads nowhere", async () => {
    const loginPath = 'https://id.example/login?client=1&x=2'
    const shop = await world.join({ options: { loginPath } })
    const { html } = await pageOf(shop.aBrowser())
    expect(buttonOn(html).action).toBe(loginPath)
    await expect(world.join({ options: { loginPath: '//evil.example' } })).rejects.toThrow(
      /loginPath must be a path or an http\(s\) URL/,
    )
  })

  it("speak the site's language, in the store's own words where it has some", async () => {
    const { german: site } = world.sites
    const translations = { de: { storeconnect: german } }
    const shop = await world.join({ config: { i18n: { translations } } })
    const cart = await world.leave({ site, customer: world.users.zofia })
    const { html } = await pageOf(shop.aBrowser(), `/de${linkTo(cart)}`)
    for (const text of [
      ...['<html lang="de">', '<h1>Anmelden</h1>', '>Zur Anmeldung</a>'],
      // What the store did not write itself.
      'Dieser Warenkorb gehört zu einem Konto.',
    ]) {
      expect(html).toContain(text)
    }
    const visitor = shop.aBrowser()
    await visitor.get(`/de${linkTo(await world.leave({ site }))}`)
    expect((await visitor.session()).flash).toEqual([
      { kind: 'notice', text: german.restoreNotice },
    ])
    const plain = await pageOf(world.aBrowser(), `/de${linkTo(cart)}`)
    expect(plain.html).toMatch(/<html lang="de">.*>Anmelden<\/a>/s)
    expect(plain.response.headers.get('content-language')).toBe('de')
    // The site decides, whatever the browser speaks.
    expect(plain.response.headers.get('vary')).toBeNull()

    // So is what is said no to, with the way to the shop.
    const bought = await world.leave({ site, purchasedAt: new Date().toISOString() })
    const refused = await visitor.get(`/de${linkTo(bought)}`)
    expect(codeOf(refused)).toEqual([400, 'CART_COMPLETED'])
    const page = await refused.text()
    for (const text of [
      ...['<html lang="de">', '<p class="brand">The german shop</p>'],
      `<title>400: ${german.restoreCompleted} · The german shop</title>`,
      `<h1>${german.restoreCompleted}</h1>`,
      `<a class="button" href="${shopOrigin}/de/">Zum Shop</a>`,
    ]) {
      expect(page).toContain(text)
    }
    const unknown = await (await visitor.get(`/de${linkTo({ number: 'x' })}`)).text()
    expect(unknown).toContain('<h1>Zu diesem Link gibt es keinen Warenkorb.</h1>')
    expect(await (await visitor.get(linkTo(bought))).text()).toContain('<html lang="en">')
  })

  it("speak the browser's language where the site names none and the store supports it", async () => {
    const shop = await world.join({ config: { i18n: { supportedLanguages: { de, en } } } })
    const cart = await world.leave({ customer: world.users.zofia })
    const ask = async (language: string, path = linkTo(cart)) => {
      const headers = { 'accept-language': language }
      const response = await shop.handle(new Request(shopOrigin + path, { headers }))
      expect(response.headers.get('vary')).toBe('Accept-Language')
      const html = await response.text()
      const spoken = /<html lang="(\w+)">/.exec(html)?.[1]
      expect(response.headers.get('content-language')).toBe(spoken)
      return { spoken, html }
    }
    for (const [language, spoken] of [
      ['de-AT,de;q=0.9,en;q=0.5', 'de'],
      ['fr, nb;q=0.9, de;q=0.5', 'de'],
      ['en-GB, de;q=0.9', 'en'],
      ['de;q=0, fr', 'en'],
      ['*', 'en'],
    ] as const) {
      expect(await ask(language)).toMatchObject({ spoken })
    }
    // Who opens half a link is told what to do about it.
    for (const language of ['de', 'en'] as const) {
      const said = translations[language]?.restoreNumberMissing
      expect((await ask(language, cartPath)).html).toContain(`<h1>${said}</h1>`)
    }
  })

  it('say to a script in English why not', async () => {
    const headers = { accept: 'application/json' }
    const response = await world.open(shopOrigin + cartPath, { headers })
    expect(codeOf(response)).toEqual([400, 'CART_NUMBER_MISSING'])
    expect(await response.json()).toEqual({
      errors: [{ message: 'The parameter "number" is missing.' }],
    })
  })

  it('leave a visitor the own cart, who follows the link to it and changes nothing', async () => {
    const visitor = await loggedInTo(world)
    const before = await visitor.session()
    const { html } = await pageOf(visitor)
    const [, url, text] = /<a href="([^"]*)">([^<]*)<\/a>/.exec(html) ?? []
    expect([url, text]).toEqual([`${shopOrigin}/cart`, 'Keep my own cart'])
    expect(await visitor.session()).toEqual(before)
    expect((await pageOf(world.aBrowser())).html).not.toContain('Keep my own cart')
  })

  it("have the shop's colours, as errors have", async () => {
    const light = { accent: '#8a1c3b', paper: '#fff8f0' }
    const shop = await world.join({ options: { pageColors: { light } } })
    for (const path of [linkTo(theirs), linkTo({ number: 'junk' })]) {
      const response = await shop.aBrowser().get(path)
      const html = await response.text()
      const [, style = ''] = /<style>([^]*)<\/style>/.exec(html) ?? []
      expect(style).toContain('--paper: #fff8f0')
      expect(style).toContain('--accent: #8a1c3b')
      const hash = createHash('sha256').update(style).digest('base64')
      expect(response.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`)
    }
  })

  it('can be pages of the store', async () => {
    const pages: RestorePage[] = []
    const shop = await world.join({
      options: {
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
      },
    })
    const logIn = await pageOf(shop.aBrowser())
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
      form: {
        method: 'get',
        action: `${shopOrigin}/login?${new URLSearchParams({ redirect: linkTo(theirs) })}`,
        fields: [],
      },
    })
    expect(pages[1]?.form).toEqual({
      method: 'post',
      action: '/actions/users/logout',
      fields: [
        { name: 'CSRF_TOKEN', value: expect.any(String) as string },
        { name: 'redirect', value: signed(world, linkTo(theirs)) },
      ],
    })
  })

  it("answer like any failure when the store's own page fails", async () => {
    const logIn = () => {
      throw new Error('The template is missing.')
    }
    const shop = await world.join({ options: { restore: { pages: { logIn } } } })
    world.log.clear()
    const response = await shop.aBrowser().get(linkTo(theirs))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('template')
    expect(world.log.text()).toContain('The template is missing.')
    expect(world.log.text()).not.toContain(theirs.number)
  })
})
