import { beforeAll, describe, expect, it } from 'vitest'
import { createProduct } from '../../support/products.js'
import { sharedStore } from '../../support/shared-store.js'
import { shopOrigin } from '../../support/browser.js'

const german = {
  noticeCartUpdated: 'Ihr Warenkorb wurde geändert.',
  noticeLoggedIn: 'Sie sind angemeldet.',
  noticeLoggedOut: 'Sie sind abgemeldet.',
  noticeLoginRefused: 'E-Mail oder Passwort stimmt nicht.',
}
const zofia = { email: 'zofia@shop.example', password: 'green tea, no sugar' }
const wrong = { ...zofia, password: 'black tea' }

describe("The notices of a store's actions", () => {
  const translations = { de: { storeconnect: german } }
  const store = sharedStore('sqlite', { config: { i18n: { translations } } })
  let productId: string

  beforeAll(async () => {
    const { payload } = store
    const site = { name: 'Tea', store: 'tea', cartUrl: '/cart' }
    const main = { ...site, handle: 'main', baseUrl: shopOrigin, primary: true }
    await payload.create({ collection: 'sites', data: main })
    const other = { ...site, handle: 'at', baseUrl: `${shopOrigin}/de`, language: 'de-AT' }
    await payload.create({ collection: 'sites', data: other })
    await payload.create({ collection: 'users', data: zofia })
    productId = String(await createProduct(payload))
  })

  /** The notices of a visitor who fails to log in, logs in, shops and logs out on a site. */
  async function noticesOn(base: string): Promise<string[]> {
    const browser = store.aBrowser()
    const texts: string[] = []
    const posts: [string, Record<string, string>][] = [
      ['users/login', wrong],
      ['users/login', zofia],
      ['commerce/cart/update-cart', { productId }],
      ['users/logout', {}],
    ]
    for (const [path, parameters] of posts) {
      await browser.changeSession({ flash: [] })
      await browser.post(`${base}/actions/${path}`, parameters)
      texts.push(...((await browser.session()).flash ?? []).map(({ text }) => text))
    }
    return texts
  }

  it("are in the language of the visitor's site, else in English", async () => {
    expect(await noticesOn('/de')).toEqual([
      german.noticeLoginRefused,
      german.noticeLoggedIn,
      german.noticeCartUpdated,
      german.noticeLoggedOut,
    ])
    expect(await noticesOn('')).toEqual([
      'The email or the password did not match.',
      'You are logged in.',
      'Your cart has been updated.',
      'You are logged out.',
    ])
  })

  it('give a script the same words for a refused login', async () => {
    const browser = store.aBrowser()
    const answer = await browser.post('/de/actions/users/login', wrong, { ajax: true })
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { errors: [{ message: german.noticeLoginRefused }] },
    ])
  })
})
