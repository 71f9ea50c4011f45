import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { beforeAll, describe, expect, it } from 'vitest'
import { authorization } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { shopOrigin } from '../../support/browser.js'

describe('The page of an error', () => {
  const store = sharedStore('sqlite', {
    config: { i18n: { supportedLanguages: { de, en } } },
    options: { shipping: { settings: { storeField: 'gone' } } },
  })
  beforeAll(async () => {
    const site = { name: 'Tee', store: 'tea', cartUrl: '/cart' }
    const sites = [
      { ...site, handle: 'main', baseUrl: shopOrigin, primary: true },
      { ...site, handle: 'fr', baseUrl: `${shopOrigin}/fr`, language: 'fr' },
    ]
    for (const data of sites) await store.payload.create({ collection: 'sites', data })
  })

  const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const response = await store.handle(new Request(shopOrigin + path, { method, headers }))
    const text = await response.text()
    return {
      language: response.headers.get('content-language'),
      vary: response.headers.get('vary'),
      code: response.headers.get('x-error-code'),
      lang: /<html lang="([\w-]+)">/.exec(text)?.[1],
      heading: /<h1>(.*)<\/h1>/.exec(text)?.[1],
      text,
    }
  }

  it("is in the language of the browser, and no cache gives it to another's", async () => {
    const german = await ask('/actions/nothing', { 'accept-language': 'de-AT' })
    expect(german).toMatchObject({
      code: 'ACTION_NOT_FOUND',
      language: 'de',
      lang: 'de',
      vary: 'Accept-Language',
      heading: 'Diese Seite gibt es nicht.',
    })
    expect(await ask('/actions/nothing', { 'accept-language': 'es' })).toMatchObject({
      language: 'en',
      lang: 'en',
      vary: 'Accept-Language',
      heading: 'There is no such action.',
    })
  })

  it("is in the site's language, whatever the browser's is", async () => {
    const post = await ask('/fr/actions/users/login', { 'accept-language': 'de' }, 'POST')
    expect(post).toMatchObject({
      code: 'CSRF_INVALID',
      lang: 'fr',
      language: 'fr',
      vary: null,
      heading: expect.stringContaining('Le formulaire est périmé') as unknown,
    })
  })

  it('of a failure is in the language of the browser, and in English where there is no translation', async () => {
    const path = 'actions/shippingconnect/orders/process?action'
    const headers = { authorization, 'accept-language': 'de' }
    expect(await ask(`/fr/${path}=export&store=berlin`, headers)).toMatchObject({
      lang: 'de',
      vary: 'Accept-Language',
      heading: 'Der Shop konnte nicht antworten. Sein Protokoll sagt, warum.',
    })
    expect(await ask(`/${path}=shipnotify`, headers, 'POST')).toMatchObject({
      code: 'ORDER_NUMBER_MISSING',
      lang: 'en',
      heading: 'The parameter &quot;order_number&quot; is missing.',
    })
  })

  it('stays English for a script', async () => {
    const headers = { accept: 'application/json', 'accept-language': 'de' }
    const { text } = await ask('/actions/nothing', headers)
    expect(JSON.parse(text)).toEqual({ errors: [{ message: 'There is no such action.' }] })
  })
})
