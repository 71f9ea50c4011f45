import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderToStaticMarkup } from 'react-dom/server'
import { partsOf } from '../../support/parts.js'
import { storePages } from '../../../src/mounts/next/index.js'
import { beginPageView } from '../../../src/mounts/next/visitor-session.js'
import { createProduct } from '../../support/products.js'
import { shopOrigin, type TestBrowser } from '../../support/browser.js'
import { sharedStore } from '../../support/shared-store.js'

// Next.js gives them to a page that it renders, and to nobody else.
const page = vi.hoisted(() => ({ headers: new Headers() }))
vi.mock('next/headers.js', () => ({ headers: () => Promise.resolve(page.headers) }))

const zofia = { email: 'zofia@shop.example', password: 'green tea, no sugar' }
const loginPath = '/actions/users/login'

describe('What storePages() gives a page that is made otherwise than of components', () => {
  let pages: ReturnType<typeof storePages>
  let browser: TestBrowser

  const store = sharedStore('sqlite')
  beforeAll(async () => {
    await store.payload.create({ collection: 'users', data: zofia })
    pages = storePages(store.payload.config)
  })
  beforeEach(() => {
    browser = store.aBrowser()
  })

  /** The visitor looks at a page, as the store's proxy hands it on. */
  async function view(): Promise<void> {
    const cookie = browser.cookie
    const headers = {
      'sec-fetch-dest': 'document',
      'x-forwarded-proto': 'https',
      ...(cookie !== '' && { cookie }),
    }
    const request = new Request(`${shopOrigin}/tea`, { headers })
    const { sessions } = partsOf(store.payload)
    const visit = await beginPageView(sessions, request)
    page.headers = visit.headers
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(visit.cookie ?? '') ?? []
    if (name !== undefined && value !== undefined) browser.cookies.set(name, value)
  }

  /** What a form with this hidden field posts. */
  function fieldOf(html: string): { name: string; value: string } {
    const shape = /^<input type="hidden" name="([^"]+)" value="([^"<>]+)">$/
    const [, name = '', value = ''] = shape.exec(html) ?? []
    return { name, value: value.replaceAll('&amp;', '&') }
  }

  it('CheckoutConsent: boxes that are not ticked, whose answers update-cart keeps', async () => {
    const tea = await createProduct(store.payload)
    const path = '/actions/commerce/cart/update-cart'
    await browser.post(path, { productId: String(tea) }, { ajax: true })
    await view()
    const wording = 'Send me the letter of Tea & Co.'
    const html = renderToStaticMarkup(
      await pages.CheckoutConsent({ legend: 'News', email: wording, version: '7' }),
    )
    expect(html).toContain('<legend>News</legend>')
    expect(html).not.toContain('checked')
    expect(html).not.toContain('consent[sms]')
    expect(html).toMatch(/<label[^>]*><input[^>]* name="consent\[email\]"[^>]*\/><span>Send me/)
    const [, offer = ''] = /name="consent\[offer\]" value="([^"]+)"/.exec(html) ?? []
    const answers = { 'consent[offer]': offer, 'consent[email]': '1' }
    expect((await browser.post(path, answers, { ajax: true })).status).toBe(200)
    const { cartId = '' } = await browser.session()
    expect(await store.payload.findByID({ collection: 'carts', id: cartId })).toMatchObject({
      consent: { email: { given: true, wording, version: '7', page: `${shopOrigin}/tea` } },
    })
  })

  it('CheckoutConsent: says which text is too long, as nothing would prove it', async () => {
    await view()
    const long = { legend: 'News', email: 'x'.repeat(2_001), version: '7' }
    const element = await pages.CheckoutConsent(long)
    expect(() => renderToStaticMarkup(element)).toThrow('too long: email')
  })

  it('readKlaviyoOnsite(), readViewedProduct(): nothing until the settings have a public key', async () => {
    const tea = await createProduct(store.payload, { priceInJPY: 900 })
    await view()
    expect(await pages.readKlaviyoOnsite()).toBeUndefined()
    expect(await pages.readViewedProduct(tea)).toBeUndefined()
    const data = { publicApiKey: 'SITEID' }
    await store.payload.updateGlobal({ slug: 'marketing-settings', data })
    // The settings are read again after a while.
    await expect.poll(pages.readKlaviyoOnsite).toEqual({
      companyId: 'SITEID',
      scriptUrl: 'https://static.klaviyo.com',
    })
    const properties = { ProductID: tea, Price: 12.5, $value_currency: 'USD' }
    expect(await pages.readViewedProduct(tea)).toMatchObject({ name: 'Viewed Product', properties })
    const inYen = { pageUrl: `${shopOrigin}/tea`, currency: 'JPY' }
    expect(await pages.readViewedProduct(tea, inYen)).toMatchObject({
      properties: { Price: 900, $value_currency: 'JPY' },
    })
  })

  it('csrfInput(): a hidden field that a post is taken with', async () => {
    await view()
    const { name, value } = fieldOf(await pages.csrfInput())
    expect(name).toBe('CSRF_TOKEN')
    const taken = await browser.post(loginPath, zofia, { token: value, ajax: true })
    expect(taken.status).toBe(200)
    const stranger = store.aBrowser()
    const refused = await stranger.post(loginPath, zofia, { token: value, ajax: true })
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([400, 'CSRF_INVALID'])
  })

  it('csrfInput(): with the seconds that a person needs at least', async () => {
    await view()
    const post = async (minimumSeconds?: number) => {
      const { value: token } = fieldOf(await pages.csrfInput({ minimumSeconds }))
      const email = `${minimumSeconds ?? 'no'}@shop.example`
      const path = '/actions/marketingconnect/api/identify'
      expect((await browser.post(path, { email }, { token })).status).toBe(303)
      const { totalDocs } = await store.payload.count({ collection: 'marketing-sends' })
      return totalDocs
    }
    const before = await post(3600)
    expect(await post()).toBe(before + 1)
  })

  it('redirectInput(): a hidden field that sends the visitor there', async () => {
    await view()
    const { name, value } = fieldOf(await pages.redirectInput('/thanks?for=tea&x=1'))
    expect(name).toBe('redirect')
    const response = await browser.post(loginPath, { ...zofia, [name]: value })
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/thanks?for=tea&x=1',
    ])
    await expect(pages.redirectInput('//evil.example')).rejects.toThrow(TypeError)
  })

  it('readNotices(): what was to be said, once', async () => {
    await browser.post(loginPath, zofia)
    await view()
    expect(await pages.readNotices()).toEqual([{ kind: 'notice', text: 'You are logged in.' }])
    await view()
    expect(await pages.readNotices()).toEqual([])
  })

  it('readReturnUrl(): where a login leads, until it does', async () => {
    await view()
    expect(await pages.readReturnUrl()).toBeUndefined()
    await browser.changeSession({ returnUrl: '/orders/7' })
    await view()
    expect(await pages.readReturnUrl()).toBe('/orders/7')
    const response = await browser.post(loginPath, zofia)
    expect(response.headers.get('location')).toBe('/orders/7')
    await view()
    expect(await pages.readReturnUrl()).toBeUndefined()
  })
})
