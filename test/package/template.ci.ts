import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restoreLinkOf } from '../browser/shopper.js'
import { openBrowser } from '../support/demo-store.js'
import { shippingPath } from './readme-steps.js'
import { cell } from './template-cell.js'
import { sourceFolder, storeFolder } from './template-shapes.js'
import { openTemplateStore, type TemplateStore } from './template-store.js'

/** The store has no cart page; its checkout shows the cart. */
const cartUrl = '/checkout'

const patiently = { timeout: 60_000 }

describe('A store like the official template, set up by the installer', () => {
  let store: TemplateStore
  let browser: Browser
  let authorization = ''

  beforeAll(async () => {
    store = await openTemplateStore()
    browser = await openBrowser()
    const login = { email: 'admin@example.com', password: 'the admin' }
    const { token } = await api<{ token: string }>('users/login', login)
    authorization = `JWT ${token}`
    const credentials = { username: 'ship', password: '$SHIPSTATION_PASSWORD' }
    await api('globals/shipping-settings', credentials)
    const site = { name: 'The shop', handle: 'shop', baseUrl: store.origin, cartUrl }
    await api('sites', { ...site, enabled: true, primary: true })
  })

  afterAll(async () => {
    await browser?.close()
    await store?.close()
  })

  /** What the admin's pages ask Payload; with a body, a post. */
  async function api<Answer>(path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${store.origin}/api/${path}`, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Answer
  }

  async function sendsTo(email: string) {
    const query = `where[profile][equals]=email:${email}`
    return (await api<{ docs: unknown[] }>(`marketing-sends?${query}`)).docs
  }

  async function openPage(path: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    await page.goto(store.origin + path)
    return page
  }

  it('still has its pages built before anybody asks for them', async () => {
    const paths = ['/', '/about-us', '/checkout']
    expect(store.staticPages).toEqual(expect.arrayContaining(paths))
    for (const path of paths) {
      const { status, headers } = await fetch(store.origin + path)
      expect([path, status, headers.get('x-nextjs-cache')]).toEqual([path, 200, 'HIT'])
    }
  })

  it('shows the overview in its admin', async () => {
    const response = await fetch(`${store.origin}/admin/globals/storeconnect`, {
      headers: { cookie: `payload-token=${authorization.slice('JWT '.length)}` },
    })
    expect(await response.text()).toContain(shippingPath())
  })

  it('exports an order, with what its line took over from the product', async () => {
    const { docs } = await api<{ docs: { id: number }[] }>('products')
    const { doc } = await api<{ doc: { reference: string } }>('orders', {
      status: 'processing',
      customerEmail: 'ada@example.com',
      amount: 2125,
      currency: 'USD',
      shippingAddress: {
        firstName: 'Ada',
        lastName: 'Lovelace',
        addressLine1: '12 St James Square',
        city: 'London',
        country: 'GB',
      },
      items: [{ product: docs[0]?.id, quantity: 1 }],
    })
    const response = await fetch(`${store.origin}${shippingPath()}?action=export`, {
      headers: { authorization: `Basic ${btoa('ship:a password')}` },
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/xml'),
    ])
    const xml = await response.text()
    for (const text of [doc.reference, 'Ada Lovelace', 'TEA-1', 'Green tea', '21.25']) {
      expect(xml).toContain(text)
    }
  })

  it('brings a cart back in another browser, and says so above a static page', async () => {
    const left = await openPage('/products/green-tea')
    await left.getByRole('button', { name: 'Add to cart' }).click()
    await left.getByText('It is in your cart.').waitFor()
    await left.goto(`${store.origin}/checkout`)
    await left.getByText('1 × Green tea').waitFor()

    const { docs } = await api<{ docs: { number: string }[] }>('carts?sort=-createdAt&limit=1')
    const link = restoreLinkOf('', docs[0]?.number ?? '')
    const context = await browser.newContext()
    await context.addInitScript(rememberContradiction)
    const page = await context.newPage()
    await page.goto(store.origin + link)
    expect(page.url()).toBe(store.origin + cartUrl)
    await page.getByText('Your cart has been restored.').waitFor()
    await page.getByText('1 × Green tea').waitFor()
    expect(await page.evaluate(() => document.documentElement.dataset.contradiction)).toBe(
      undefined,
    )
  })

  it('stores what a script of a page identifies', async () => {
    const { request } = await openPage('/')
    const info = await request.get(`${store.origin}/actions/users/session-info`)
    const { csrfTokenName, csrfTokenValue } = (await info.json()) as Record<string, string>
    const answer = await request.post(`${store.origin}/actions/marketingconnect/api/identify`, {
      form: { [csrfTokenName ?? '']: csrfTokenValue ?? '', email: 'grace@example.com' },
      headers: { accept: 'application/json' },
    })
    expect(await answer.text()).toBe('"success"')
    expect(await sendsTo('grace@example.com')).toMatchObject([
      { kind: 'identify', state: 'queued' },
    ])
  })

  it('shows without accounts what both platforms would get', async () => {
    const { docs } = await api<{ docs: { id: number; reference: string }[] }>('orders')
    const [order] = docs
    // What waits is the order's event and the profile from above.
    const given = ['--production', '--yes', '--waiting', '--order', order?.reference ?? '']
    const trial = await store.try(...given)
    try {
      await expect.poll(trial.printed, patiently).toContain('is shipped by UPS')
      const shown = async () => (await fetch(trial.pageUrl)).text()
      for (const text of ['grace@example.com', 'ada@example.com', 'Placed Order', 'Green tea']) {
        await expect.poll(shown, patiently).toContain(text)
      }
      expect(await api(`orders/${order?.id}`)).toMatchObject({ status: 'shipped' })
    } finally {
      expect(await trial.end()).toBe(0)
    }
    expect(await sendsTo('grace@example.com')).toMatchObject([{ state: 'sent' }])
  })

  it('runs the commands in the other image', async () => {
    expect(await sendsTo('grace@example.com')).not.toEqual([])
    await store.run('storeconnect', 'erase', 'grace@example.com', '--yes')
    expect(await sendsTo('grace@example.com')).toEqual([])
    await store.run('payload', 'migrate:status')
  })

  it("takes the README's form, and goes on to the page that it names", async () => {
    const page = await openPage('/newsletter')
    // As fast as a person types: the form takes nobody who is done at once.
    await page.locator('[name=email]').pressSequentially('alan@example.com', { delay: 150 })
    await page.getByRole('button', { name: 'Keep me posted' }).click()
    await page.waitForURL(`${store.origin}/thanks`)
    expect(await sendsTo('alan@example.com')).not.toEqual([])
  })
  it.runIf(cell.shape === 'own-proxy')("still runs the store's own proxy", async () => {
    const { headers } = await fetch(`${store.origin}/shop`)
    expect(headers.get('x-shop')).toBe('/shop')
  })

  it('is what the installer would make of it: a second time it changes nothing', async () => {
    const before = store.files()
    expect(await store.storeconnect('doctor')).toContain('Everything is in place.')
    expect(await store.storeconnect('init', '--yes')).toContain('No file changes.')
    expect(store.files()).toEqual(before)
  })

  it('is as it was before, when the installer has taken everything out', async () => {
    await store.storeconnect('remove', '--yes')
    expect(store.changedFiles()).toEqual([`?? ${storeFolder}${sourceFolder}app/(app)/newsletter/`])
  })
})

/** In the page: remembers that it has said for a moment that the cart is restored and that it is empty. */
function rememberContradiction() {
  new MutationObserver(() => {
    const { textContent } = document.body
    if (!textContent.includes('Your cart has been restored.')) return
    if (textContent.includes('Your cart is empty.')) {
      document.documentElement.dataset.contradiction = 'seen'
    }
  }).observe(document, { childList: true, characterData: true, subtree: true })
}
