import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { partsOf } from '../support/parts.js'
import { openBrowser } from '../support/demo-store.js'
import { noteComplaints } from './note-complaints.js'
import { serveOnsiteStore, type OnsiteStore } from './onsite-store.js'

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
  /** People of this test alone: Klaviyo records a person's event without an id once a second. */
  let grace: string
  let people = 0

  beforeAll(async () => {
    store = await serveOnsiteStore()
    browser = await openBrowser()
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
    people += 1
    grace = `kx-Grace-${people}`
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
  const signUp = async (name: string, roles: string[] = []) => {
    const account = { email: `${name}-${people}@example.com`, password: 'correct horse battery' }
    await store.payload.create({ collection: 'users', data: { ...account, roles } })
    return account
  }
  const profileByEmail = (email: string) => store.klaviyo.standIn.state.profileByEmail(email)
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
    return (await partsOf(store.payload).sessions.open({ url: store.origin, headers })).data
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
    const { number = '' } = (await cart()) ?? {}
    return (await store.sendsOfCarts()).flatMap(({ message }) =>
      message.kind === 'event' && message.event.uniqueId.startsWith(number) ? [message] : [],
    )
  }
  /** Puts into the cart what the page sells, as a script of the page does. */
  const addByScript = () =>
    page.evaluate(async () => {
      const form = document.querySelector('form') as HTMLFormElement
      const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>)
      await fetch(form.action, { method: 'POST', body })
    })
  /**
   * Holds back what the page asks for, until the test lets it go on. The route stays for the whole test: when
   * the last one is taken away, Chromium aborts what is under way.
   */
  const hold = async (url: string) => {
    let letGo: () => void = () => undefined
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(url, async (route) => {
      await isLetGo
      await route.continue()
    })
    return { asked: page.waitForRequest(url), letGo }
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

  it('leaves nothing at all in the browser of who only looks at a static page', async () => {
    await visit('/static?_kx=kx-Nobody')
    await page.waitForLoadState('networkidle')
    expect(requests).toEqual([`${store.origin}/static?_kx=kx-Nobody`, `${store.origin}/page.js`])
    expect([await cookieNames(), await storage()]).toEqual([[], []])
  })

  it('loads after the consent, with the nonce, and reports Viewed Product as the server describes it, once for each view', async () => {
    await visit()
    await allow()
    await expect.poll(metrics).toEqual(['Viewed Product'])
    expect(toKlaviyo().filter((url) => url.includes('/onsite/js/'))).toEqual([
      `${store.klaviyo.origin}/onsite/js/STDIN1/klaviyo.js?company_id=STDIN1`,
    ])
    expect(complaints).toEqual([])
    await visit()
    await expect.poll(metrics).toEqual(['Viewed Product', 'Viewed Product'])
    const { onsite } = partsOf(store.payload)
    const event = await onsite.viewedProduct({ productId: store.tea, siteId: undefined })
    const { $value, $value_currency, ...properties } = event?.properties ?? {}
    const viewed = await page.evaluate(() => localStorage.getItem('__kla_viewed'))
    expect(JSON.parse(viewed ?? '')).toEqual([event?.viewedItem, event?.viewedItem])
    expect(events()[0]).toMatchObject({ value: $value, currency: $value_currency })
    expect([$value, $value_currency]).toEqual([12.5, 'USD'])
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
    expect(event?.currency).toBe(updated?.event.valueCurrency)
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
    await addByScript()
    await page.evaluate(() => window.trackAddedToCart())
    await expect.poll(metrics).toEqual(['Viewed Product', 'Added to Cart'])
    expect(events().at(-1)?.properties).toMatchObject({ AddedItemQuantity: 2 })
    expect(await cookieNames()).not.toContain('storeconnect-added')
  })

  it('reports Added to Cart for what a script names, also while the session is being told', async () => {
    await visit()
    await addByScript()
    const { asked, letGo } = await hold('**/onsite/visitor')
    await allow()
    await asked
    const reported = page.evaluate(
      (productId) => window.trackAddedToCart({ productId, quantity: 7 }),
      store.tea,
    )
    letGo()
    await reported
    await expect.poll(metrics).toContain('Added to Cart')
    const event = events().find(({ metric }) => metric === 'Added to Cart')
    expect(event?.properties).toMatchObject({
      AddedItemProductID: store.tea,
      AddedItemQuantity: 7,
      TotalQuantity: 2,
    })
  })

  it('makes the cart of an anonymous visitor that of the person whom the link named', async () => {
    await visit()
    await addToCart()
    await visit(`/?_kx=${grace}`)
    await allow()
    await expect.poll(async () => (await cart())?.exchangeId).toBe(grace)
    expect((await updatedCart()).map(({ profile }) => profile)).toEqual([{ exchangeId: grace }])
    await expect.poll(metrics).toEqual(['Viewed Product'])
    expect(profileOf(events()[0])).toMatchObject({ _kx: grace })
  })

  it('tells a new session whom the script knows from an earlier visit', async () => {
    await visit(`/?_kx=${grace}`)
    await allow()
    await expect.poll(async () => (await session()).exchangeId).toBe(grace)
    await context.clearCookies({ name: 'storeconnect' })
    await page.evaluate(() => localStorage.clear())
    await visit()
    await expect.poll(async () => (await session()).exchangeId).toBe(grace)
  })

  it('takes no exchange id that is none of Klaviyo’s', async () => {
    const text = `kx<script>${'x'.repeat(300)}`
    await visit(`/?_kx=${encodeURIComponent(text)}`)
    await allow()
    await expect.poll(async () => (await session()).hasOnsiteConsent).toBe(true)
    await visit()
    await expect.poll(metrics).toHaveLength(2)
    expect(await session()).not.toHaveProperty('exchangeId')
    expect(requests.filter((url) => url.endsWith('/onsite/visitor'))).toHaveLength(1)
  })

  it('tells the session once, not on each page', async () => {
    await visit(`/?_kx=${grace}`)
    await allow()
    await expect.poll(async () => (await session()).exchangeId).toBe(grace)
    for (const views of [1, 2, 3]) {
      await expect.poll(metrics).toHaveLength(views)
      await visit()
    }
    expect(requests.filter((url) => url.endsWith('/onsite/visitor'))).toHaveLength(1)
  })

  it('is about who has logged in, and about nobody once the login has ended or expired', async () => {
    await visit()
    await allow()
    await expect.poll(metrics).toHaveLength(1)
    const logIn = async (name: string) => {
      const account = await signUp(name)
      await post('users/login', account)
      await visit()
      await expect.poll(() => profileByEmail(account.email)?.attributes._kx).toMatch(/^standin\./)
      const profile = profileByEmail(account.email)
      await expect.poll(async () => (await session()).exchangeId).toBe(profile?.attributes._kx)
      return profile
    }
    const ada = await logIn('ada')
    await expect.poll(metrics).toHaveLength(2)
    await post('users/logout')
    await visit()
    await expect.poll(metrics).toHaveLength(3)
    expect(events().at(-1)?.profile).not.toBe(ada?.id)
    expect(await session()).not.toHaveProperty('exchangeId')

    const bob = await logIn('bob')
    await expect.poll(metrics).toHaveLength(4)
    expect(bob?.attributes._kx).not.toBe(ada?.attributes._kx)
    expect(events().at(-1)?.profile).not.toBe(ada?.id)
    await context.clearCookies({ name: 'payload-token' })
    await visit()
    await expect.poll(metrics).toHaveLength(5)
    expect(events().at(-1)?.profile).not.toBe(bob?.id)
    expect(await session()).not.toHaveProperty('exchangeId')
    expect(requests.filter((url) => decodeURIComponent(url).includes('@'))).toEqual([])
  })

  it('does not tell the script who an admin is', async () => {
    const account = await signUp('staff', ['admin'])
    await visit()
    await allow()
    await expect.poll(metrics).toHaveLength(1)
    await post('users/login', account)
    await visit()
    await expect.poll(metrics).toHaveLength(2)
    expect(profileByEmail(account.email)).toBeUndefined()
  })

  it('takes everything back when the visitor changes their mind', async () => {
    await visit(`/?_kx=${grace}`)
    await allow()
    await expect.poll(async () => (await session()).exchangeId).toBe(grace)
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

  it('does not run when the visitor changes their mind while it loads', async () => {
    await visit()
    const { asked, letGo } = await hold(`${store.klaviyo.origin}/onsite/js/**`)
    await allow()
    await asked
    await expect.poll(async () => (await session()).hasOnsiteConsent).toBe(true)
    await page.getByRole('button', { name: 'Privacy choice' }).click()
    await refuse()
    await expect.poll(async () => (await session()).hasOnsiteConsent).toBeUndefined()
    const loaded = page.waitForEvent('requestfinished', (request) => request.url().includes('/js/'))
    letGo()
    await loaded
    // What was loaded before this one has run, if it runs at all.
    await page.route('**/later.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    )
    await page.evaluate(async () => {
      const script = document.createElement('script')
      script.nonce = document.querySelector<HTMLScriptElement>('script[src]')?.nonce ?? ''
      script.src = '/later.js'
      await new Promise((resolve) => {
        script.addEventListener('load', resolve)
        document.head.append(script)
      })
    })
    expect(await page.evaluate(() => [window.klaviyo, window._klOnsite])).toEqual([
      undefined,
      undefined,
    ])
    expect(await cookieNames()).not.toContain('__kla_id')
    expect(events()).toEqual([])
  })

  it('sends no event that the visitor changed their mind about meanwhile', async () => {
    await visit()
    await allow()
    await expect.poll(metrics).toEqual(['Viewed Product'])
    await addByScript()
    const { asked, letGo } = await hold('**/onsite/added-to-cart*')
    const reported = page.evaluate(() => window.trackAddedToCart())
    await asked
    await page.getByRole('button', { name: 'Privacy choice' }).click()
    await refuse()
    letGo()
    await reported
    await expect.poll(storage).toEqual([])
    await visit()
    expect(toKlaviyo().filter((url) => url.includes('/client/events'))).toHaveLength(1)
  })

  it('takes the consent back on the next page when the session could not be told', async () => {
    await visit(`/?_kx=${grace}`)
    await allow()
    await expect.poll(async () => (await session()).exchangeId).toBe(grace)
    await page.route('**/onsite/visitor', (route) => route.abort())
    await page.getByRole('button', { name: 'Privacy choice' }).click()
    const failed = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/onsite/visitor'),
    )
    await refuse()
    await failed
    expect(await session()).toMatchObject({ exchangeId: grace })
    await page.unroute('**/onsite/visitor')
    await visit()
    await expect.poll(async () => (await session()).hasOnsiteConsent).toBeUndefined()
    expect(await session()).not.toHaveProperty('exchangeId')
  })

  it('neither loads nor takes anything back while the choice is not known yet', async () => {
    await visit(`/?_kx=${grace}`)
    await allow()
    await expect.poll(async () => (await session()).exchangeId).toBe(grace)
    await expect.poll(metrics).toEqual(['Viewed Product'])
    await context.clearCookies({ name: 'privacy-choice' })
    requests = []
    await visit()
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    expect(toKlaviyo()).toEqual([])
    expect(await cookieNames()).toContain('__kla_id')
    expect(await session()).toMatchObject({ exchangeId: grace })
  })

  it('works on a page that was built before anybody asked for it', async () => {
    await visit(`/static?_kx=${grace}`)
    await allow()
    await expect.poll(metrics).toEqual(['Viewed Product'])
    await expect.poll(async () => (await session()).exchangeId).toBe(grace)
    expect(complaints).toEqual([])
  })

  it('works while the shop does not say who the visitor is', async () => {
    const failures: Error[] = []
    page.on('pageerror', (error) => failures.push(error))
    const portal = { contentType: 'text/html', body: '<p>Please log in to this network.</p>' }
    await page.route('**/session-info', (route) => route.fulfill(portal))
    await visit(`/?_kx=${grace}`)
    await allow()
    await expect.poll(metrics).toEqual(['Viewed Product'])
    expect(await session()).not.toHaveProperty('hasOnsiteConsent')
    await page.unroute('**/session-info')
    await visit()
    await expect.poll(async () => (await session()).exchangeId).toBe(grace)
    expect(failures).toEqual([])
  })

  it('does no harm when a blocker keeps the script away', async () => {
    const failures: Error[] = []
    page.on('pageerror', (error) => failures.push(error))
    await page.route(`${store.klaviyo.origin}/**`, (route) => route.abort())
    await visit(`/?_kx=${grace}`)
    await allow()
    await expect.poll(async () => (await session()).exchangeId).toBe(grace)
    await addToCart()
    expect((await cart())?.exchangeId).toBe(grace)
    expect([failures, events()]).toEqual([[], []])
  })
})
