import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSessions } from '../../src/http/session.js'
import { partsOf } from '../../src/installation.js'
import { openBrowser } from '../support/demo-store.js'
import { noteComplaints } from './note-complaints.js'
import { serveOnsiteStore, type OnsiteStore } from './onsite-store.js'

const account = { email: 'ada@example.com', password: 'correct horse battery' }

interface StoredCart {
  id: number
  number: string
  exchangeId: string | null
}

describe("Klaviyo's script on a page with a strict Content Security Policy", () => {
  let store: OnsiteStore
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let complaints: string[]
  let requests: string[]
  /** How many events there were before this test. */
  let eventsBefore: number

  beforeAll(async () => {
    store = await serveOnsiteStore()
    browser = await openBrowser()
    await store.payload.create({ collection: 'users', data: account })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await store?.close()
  })
  beforeEach(async () => {
    await context?.close()
    context = await browser.newContext()
    page = await context.newPage()
    complaints = noteComplaints(page)
    requests = []
    page.on('request', (request) => requests.push(request.url()))
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error('Policy violated:', violatedDirective, blockedURI),
      )
    })
    eventsBefore = store.klaviyo.standIn.state.events.length
  })

  /** Opens a page, until it has asked for the choice, or offers to change it. */
  const visit = async (path = '/') => {
    await page.goto(store.origin + path)
    await page.getByRole('button', { name: /^(Allow|Privacy choice)$/ }).waitFor()
  }
  const allow = () => page.getByRole('button', { name: 'Allow' }).click()
  const refuse = () => page.getByRole('button', { name: 'Refuse' }).click()
  const addToCart = async () => {
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await loaded
  }
  const toKlaviyo = () => requests.filter((url) => url.startsWith(store.klaviyo.origin))
  const events = () => store.klaviyo.standIn.state.events.slice(eventsBefore)
  /** Klaviyo records events without an id once a second, but all of them arrive. */
  const metrics = () =>
    events().flatMap(({ arrivals, metric }) => Array.from({ length: arrivals }, () => metric))
  const profileOf = (event: { profile: string } | undefined) =>
    store.klaviyo.standIn.state.profiles.get(event?.profile ?? '')?.attributes
  const cookieNames = async () => (await context.cookies()).map(({ name }) => name)
  const storage = () =>
    page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
  const session = async () => {
    const cookies = await context.cookies(store.origin)
    const headers = new Headers({
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    })
    const sessions = createSessions({ secret: store.payload.config.secret })
    return (await sessions.open({ url: store.origin, headers })).data
  }
  const cart = async (): Promise<StoredCart | undefined> => {
    const { cartId } = await session()
    if (cartId === undefined) return undefined
    return (await store.payload.findByID({
      collection: 'carts',
      id: cartId,
      depth: 0,
    })) as unknown as StoredCart
  }
  const updatedCart = async () => {
    const { id = 0, number = '' } = (await cart()) ?? {}
    await store.leaveAlone(id)
    await store.watchCarts()
    return (await store.sends()).flatMap(({ message }) =>
      message.kind === 'event' && message.event.uniqueId.startsWith(number) ? [message] : [],
    )
  }
  /** Posts to an action as a form of the page does, and comes back. */
  const post = async (path: string, values: Record<string, string> = {}) => {
    const info = await context.request.get(`${store.origin}/actions/users/session-info`)
    const { csrfTokenValue } = (await info.json()) as { csrfTokenValue: string }
    const answer = await context.request.post(`${store.origin}/actions/${path}`, {
      form: { ...values, CSRF_TOKEN: csrfTokenValue },
      headers: { accept: 'application/json', origin: store.origin },
    })
    expect(answer.status()).toBe(200)
  }

  describe.each([
    ['nobody has answered', () => Promise.resolve()],
    ['the visitor has refused', refuse],
  ])('while %s', (_, answer) => {
    it('requests, stores and sends nothing, whatever the visitor does', async () => {
      await visit('/?_kx=kx-Nobody')
      await answer()
      await visit('/?_kx=kx-Nobody')
      await addToCart()
      await visit('/static?_kx=kx-Nobody')
      await page.waitForLoadState('networkidle')
      expect(toKlaviyo()).toEqual([])
      const paths = requests.map((url) => new URL(url).pathname)
      expect(paths.filter((path) => path.startsWith('/actions'))).toEqual([
        '/actions/commerce/cart/update-cart',
      ])
      expect((await cookieNames()).filter((name) => name !== 'privacy-choice')).toEqual([
        'storeconnect',
      ])
      expect(await storage()).toEqual([])
      expect(await page.evaluate(() => [window.klaviyo, window._klOnsite])).toEqual([
        undefined,
        undefined,
      ])
      expect(await session()).not.toHaveProperty('hasOnsiteConsent')
      expect((await cart())?.exchangeId).toBeNull()
      expect([events(), complaints]).toEqual([[], []])
    })
  })

  it('loads after the consent, with the nonce, and violates no policy', async () => {
    await visit()
    await allow()
    await expect.poll(metrics).toEqual(['Viewed Product'])
    const scripts = toKlaviyo().filter((url) => url.includes('/onsite/js/'))
    expect(scripts).toEqual([
      `${store.klaviyo.origin}/onsite/js/STDIN1/klaviyo.js?company_id=STDIN1`,
    ])
    expect(complaints).toEqual([])
  })

  it('reports Viewed Product as the server describes it, once for each view', async () => {
    await visit()
    await allow()
    await expect.poll(metrics).toEqual(['Viewed Product'])
    await visit()
    await expect.poll(metrics).toEqual(['Viewed Product', 'Viewed Product'])
    const { onsite } = partsOf(store.payload)
    const { $value, ...properties } =
      (await onsite.viewedProduct({ productId: store.tea, siteId: undefined }))?.properties ?? {}
    expect(events()[0]).toMatchObject({ value: $value })
    expect(events()[0]?.properties).toEqual(properties)
  })

  it('reports Added to Cart once after a form, with the properties of Updated Cart', async () => {
    await visit()
    await allow()
    await expect.poll(async () => (await session()).hasOnsiteConsent).toBe(true)
    await addToCart()
    await expect.poll(() => metrics().filter((name) => name === 'Added to Cart')).toHaveLength(1)
    await expect.poll(() => metrics().filter((name) => name === 'Viewed Product')).toHaveLength(2)
    await visit()
    await expect.poll(() => metrics().filter((name) => name === 'Viewed Product')).toHaveLength(3)
    expect(metrics().filter((name) => name === 'Added to Cart')).toHaveLength(1)
    expect(await cookieNames()).not.toContain('storeconnect-added')

    const event = events().find(({ metric }) => metric === 'Added to Cart')
    // The visitor is not known, so that the server has no person to report the cart for.
    expect(await updatedCart()).toEqual([])
    await page.goto(`${store.origin}/?_kx=kx-Later`)
    await expect.poll(async () => (await cart())?.exchangeId).toBe('kx-Later')
    const [updated] = await updatedCart()
    expect(event?.value).toBe(updated?.event.value)
    expect(event?.properties).toEqual({
      ...updated?.event.properties,
      AddedItemProductID: store.tea,
      AddedItemProductName: 'Green tea',
      AddedItemSKU: 'TEA-1',
      AddedItemImageURL: `${store.origin}/media/tea.png`,
      AddedItemURL: `${store.origin}/products/TEA-1`,
      AddedItemPrice: 12.5,
      AddedItemQuantity: 2,
    })
  })

  it('reports Added to Cart for what a script of the page has added', async () => {
    await visit()
    await allow()
    await expect.poll(async () => (await session()).hasOnsiteConsent).toBe(true)
    await page.evaluate(async () => {
      const form = document.querySelector('form') as HTMLFormElement
      const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>)
      await fetch(form.action, { method: 'POST', body })
      await window.trackAddedToCart()
    })
    await expect.poll(metrics).toEqual(['Viewed Product', 'Added to Cart'])
    await page.evaluate(
      (productId) => window.trackAddedToCart({ productId, quantity: 7 }),
      store.tea,
    )
    await expect.poll(() => events().length).toBeGreaterThan(1)
    expect(events().at(-1)?.properties).toMatchObject({ AddedItemProductID: store.tea })
  })

  it('makes the cart of an anonymous visitor that of the person whom the link named', async () => {
    await visit()
    await addToCart()
    await visit('/?_kx=kx-Grace')
    await allow()
    await expect.poll(async () => (await cart())?.exchangeId).toBe('kx-Grace')
    expect((await updatedCart()).map(({ profile }) => profile)).toEqual([
      { exchangeId: 'kx-Grace' },
    ])
    await expect.poll(metrics).toEqual(['Viewed Product'])
    expect(profileOf(events()[0])).toMatchObject({ _kx: 'kx-Grace' })
  })

  it('tells a new session whom the script knows from an earlier visit', async () => {
    await visit('/?_kx=kx-Grace')
    await allow()
    await expect.poll(async () => (await session()).exchangeId).toBe('kx-Grace')
    await context.clearCookies({ name: 'storeconnect' })
    await page.evaluate(() => localStorage.clear())
    await visit()
    await expect.poll(async () => (await session()).exchangeId).toBe('kx-Grace')
  })

  it('tells the session once, not on each page', async () => {
    await visit('/?_kx=kx-Grace')
    await allow()
    await expect.poll(async () => (await session()).exchangeId).toBe('kx-Grace')
    for (const views of [1, 2, 3]) {
      await expect.poll(metrics).toHaveLength(views)
      await visit()
    }
    expect(requests.filter((url) => url.endsWith('/onsite/visitor'))).toHaveLength(1)
  })

  it('tells the script who has logged in, and forgets them after the logout', async () => {
    await visit()
    await allow()
    await expect.poll(metrics).toHaveLength(1)
    await post('users/login', account)
    await visit()
    await expect
      .poll(() => store.klaviyo.standIn.state.profileByEmail(account.email)?.attributes._kx)
      .toMatch(/^standin\./)
    const known = store.klaviyo.standIn.state.profileByEmail(account.email)
    await expect.poll(async () => (await session()).exchangeId).toBe(known?.attributes._kx)
    await expect.poll(metrics).toHaveLength(2)

    await post('users/logout')
    await visit()
    await expect.poll(metrics).toHaveLength(3)
    expect(events().at(-1)?.profile).not.toBe(known?.id)
    expect(await session()).not.toHaveProperty('exchangeId')
  })

  it('takes everything back when the visitor changes their mind', async () => {
    await visit('/?_kx=kx-Grace')
    await allow()
    await expect.poll(async () => (await session()).exchangeId).toBe('kx-Grace')
    await addToCart()
    await page.getByRole('button', { name: 'Privacy choice' }).click()
    await refuse()
    await expect.poll(async () => (await session()).hasOnsiteConsent).toBeUndefined()
    expect(await session()).not.toHaveProperty('exchangeId')
    expect((await cart())?.exchangeId).toBeNull()
    await expect.poll(storage).toEqual([])
    expect(await cookieNames()).not.toContain('__kla_id')

    requests = []
    await page.evaluate((productId) => window.trackAddedToCart({ productId }), store.tea)
    await addToCart()
    await visit()
    expect([toKlaviyo(), await cookieNames()]).toEqual([
      [],
      expect.not.arrayContaining(['__kla_id', 'storeconnect-added']),
    ])
    expect(complaints).toEqual([])
  })

  it('neither loads nor takes anything back while the choice is not known yet', async () => {
    await visit('/?_kx=kx-Grace')
    await allow()
    await expect.poll(async () => (await session()).exchangeId).toBe('kx-Grace')
    await context.clearCookies({ name: 'privacy-choice' })
    requests = []
    await visit()
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    expect(toKlaviyo()).toEqual([])
    expect(await cookieNames()).toContain('__kla_id')
    expect(await session()).toMatchObject({ exchangeId: 'kx-Grace' })
  })

  it('works on a page that was built before anybody asked for it', async () => {
    await visit('/static?_kx=kx-Grace')
    await allow()
    await expect.poll(metrics).toEqual(['Viewed Product'])
    await expect.poll(async () => (await session()).exchangeId).toBe('kx-Grace')
    expect(complaints).toEqual([])
  })

  it('does no harm when a blocker keeps the script away', async () => {
    const failures: Error[] = []
    page.on('pageerror', (error) => failures.push(error))
    await page.route(`${store.klaviyo.origin}/**`, (route) => route.abort())
    await visit('/?_kx=kx-Grace')
    await allow()
    await expect.poll(async () => (await session()).exchangeId).toBe('kx-Grace')
    await addToCart()
    expect((await cart())?.exchangeId).toBe('kx-Grace')
    expect([failures, events()]).toEqual([[], []])
  })
})
