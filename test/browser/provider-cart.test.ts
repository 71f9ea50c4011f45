import type { Browser, BrowserContext, Page } from 'playwright-core'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { partsOf } from '../support/parts.js'
import { createProduct } from '../support/products.js'
import { openBrowser } from '../support/demo-store.js'
import { serveProviderStore } from './provider-store.js'
import type { StoreWithPage } from './served-page.js'

const longSetUp = 120_000
const password = 'green tea, no sugar'

describe("The extension's provider in a browser", () => {
  let store: StoreWithPage
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let tea: number

  beforeAll(async () => {
    store = await serveProviderStore()
    browser = await openBrowser()
    tea = await createProduct(store.payload, { inventory: 100 })
  }, longSetUp)
  afterAll(async () => {
    await browser?.close()
    await store?.close()
  })
  beforeEach(async () => {
    context = await browser.newContext()
    page = await context.newPage()
    await visit()
  })
  afterEach(() => context.close())

  const visit = (path = '/') => page.goto(store.origin + path, { waitUntil: 'networkidle' })
  const renderedCarts = () => page.evaluate(() => [...new Set(window.shop.renderedCarts)])
  const storage = () => page.evaluate(() => ({ ...localStorage }))
  /** The provider writes the cart into the browser's storage a moment after it has it. */
  const addTea = async () => {
    await page.waitForFunction(() => window.shop.basket !== undefined)
    await page.evaluate((product) => window.shop.basket?.addItem({ product }), tea)
    await page.waitForFunction(() => localStorage.getItem('cart') !== null)
  }
  const pay = (customerEmail?: string) =>
    page.evaluate(async (email) => {
      const additionalData = email === undefined ? {} : { customerEmail: email }
      await window.shop.basket?.initiatePayment('demo', { additionalData })
      return (await window.shop.basket?.confirmOrder('demo', { additionalData })) as {
        orderID: number
      }
    }, customerEmail)

  const session = async () => {
    const cookies = await context.cookies(store.origin)
    const headers = new Headers({
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    })
    return partsOf(store.payload).sessions.open({ url: store.origin, headers })
  }
  /** As the restore link leaves it. */
  const restore = async (cartId: number) => {
    const opened = await session()
    opened.change({ cartId })
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec((await opened.cookie()) ?? '') ?? []
    await context.addCookies([{ name, value, url: store.origin, httpOnly: true }])
  }
  const createCart = async (data: Record<string, unknown> = {}) => {
    const cart = await store.payload.create({
      collection: 'carts',
      data: { items: [{ product: tea, quantity: 2 }], currency: 'USD', ...data },
    })
    return Number(cart.id)
  }
  const cartOf = (id: number) =>
    store.payload.findByID({ collection: 'carts', id, depth: 0 }) as unknown as Promise<{
      number: string
      secret: string
      items: { quantity: number }[]
    }>
  const quantityOf = async (id: number) =>
    (await cartOf(id)).items.reduce((sum, { quantity }) => sum + quantity, 0)
  const logIn = async () => {
    const email = `${randomUUID()}@shop.example`
    const data = { email, password, roles: ['customer'] }
    const user = await store.payload.create({ collection: 'users', data })
    await page.evaluate(
      (body) =>
        fetch('/api/users/login', {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json' },
        }),
      JSON.stringify({ email, password }),
    )
    return Number(user.id)
  }

  describe('of a guest', () => {
    it('shows, changes and pays the restored cart, never the one from before, and has none after that', async () => {
      await addTea()
      const { cart: before } = await storage()
      expect(before).toBeDefined()
      const restored = await createCart()
      const { number, secret } = await cartOf(restored)
      await restore(restored)
      await visit()
      await expect.poll(renderedCarts).toEqual(['none', String(restored)])
      await expect.poll(storage).toEqual({ cart: String(restored), cart_secret: secret })
      await addTea()
      await expect.poll(() => quantityOf(restored)).toBe(3)
      const { orderID } = await pay('guest@shop.example')
      const order = await store.payload.findByID({ collection: 'orders', id: orderID, depth: 0 })
      expect(order).toMatchObject({ number, amount: 3 * 1250 })

      await visit()
      await expect.poll(renderedCarts).toEqual(['none'])
      await expect.poll(storage).toEqual({})
    })

    it('begins a cart that the session has too', async () => {
      await addTea()
      const { cart } = await storage()
      expect(cart).toBe(String((await session()).data.cartId))
      await visit()
      await expect.poll(renderedCarts).toEqual(['none', cart])
    })

    it('keeps a cart of its own that the session does not know', async () => {
      await addTea()
      const { cart } = await storage()
      await context.clearCookies()
      await visit()
      await expect.poll(renderedCarts).toEqual(['none', cart])
    })
  })

  describe('of a customer', () => {
    it.each(['older', 'newer'])(
      'shows, changes and pays the restored one of two, the %s one',
      async (which) => {
        await addTea()
        const customer = await logIn()
        const carts = [await createCart({ customer }), await createCart({ customer })]
        const [restored = 0, other] = which === 'older' ? carts : carts.toReversed()
        await page.evaluate((cart) => localStorage.setItem('cart', cart), String(other))
        await restore(restored)
        await visit()
        await expect.poll(renderedCarts).toEqual(['none', String(restored)])
        await expect.poll(storage).toEqual({ cart: String(restored) })
        const { number } = await cartOf(restored)
        await addTea()
        await expect.poll(() => quantityOf(restored)).toBe(3)
        const { orderID } = await pay()
        const order = await store.payload.findByID({ collection: 'orders', id: orderID, depth: 0 })
        expect(order).toMatchObject({ number, customer, amount: 3 * 1250 })
      },
    )

    it('shows the cart that the pages show, when none was restored', async () => {
      const customer = await logIn()
      const changed = await createCart({ customer })
      await createCart({ customer })
      const data = { items: [{ product: tea, quantity: 5 }] }
      await store.payload.update({ collection: 'carts', id: changed, data })
      await addSession()
      await visit()
      await expect.poll(renderedCarts).toEqual(['none', String(changed)])
    })

    it('has nothing of theirs left after logout', async () => {
      const customer = await logIn()
      await restore(await createCart({ customer }))
      await visit()
      await page.evaluate(() => fetch('/api/users/logout', { method: 'POST' }))
      await visit()
      await expect.poll(renderedCarts).toEqual(['none'])
      await expect.poll(storage).toEqual({})
    })
  })

  /** A page view gives each visitor a session. */
  const addSession = () => page.evaluate(() => fetch('/actions/users/session-info'))

  it('shows the cart from before in a store that leaves the component out', async () => {
    await addTea()
    const { cart } = await storage()
    await restore(await createCart())
    await visit('/?plain')
    await expect.poll(renderedCarts).toContain(cart)
  })

  it('works in a browser that lets nobody store anything', async () => {
    const failures: Error[] = []
    page.on('pageerror', (error) => failures.push(error))
    await restore(await createCart())
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      }
    })
    await visit()
    await expect.poll(() => page.locator('output').innerText()).toBe('0')
    expect(failures).toEqual([])
  })
})
