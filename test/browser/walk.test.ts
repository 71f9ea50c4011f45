import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { untilAnswered } from '../support/visit.js'
import { closeDemo, openDemo, type Demo } from './demo.js'
import { shopperOn } from './shopper.js'

/** The newsletter's form takes nobody who is done within a second, which an address then takes. */
const typing = { delay: 20 }

const phone: BrowserContextOptions = { viewport: { width: 375, height: 720 }, hasTouch: true }

const pages = '/ /products/morning-sencha /cart /checkout /login /account /thanks /try-it'.split(
  ' ',
)

describe('A visitor of the store', () => {
  let demo: Demo
  let platform: Page

  beforeAll(async () => {
    demo = await openDemo()
    platform = await demo.browser.newPage()
  })

  afterAll(closeDemo)

  const shownTimes = async (email: string): Promise<number> => {
    await platform.goto(demo.klaviyo.origin)
    return platform.getByText(email).count()
  }

  describe.each([
    ['with JavaScript', {}],
    ['without JavaScript, on a phone', { ...phone, javaScriptEnabled: false }],
  ])('%s', (_, options) => {
    let page: Page

    beforeEach(async () => {
      page = await demo.newVisitor(options)
      await page.goto(demo.origin)
    })

    it("signs up to the newsletter, and is on the platform's page", async () => {
      const email = `visitor-${crypto.randomUUID()}@shop.example`
      await page.locator('#newsletter-email').pressSequentially(email, typing)
      await page.getByRole('button', { name: 'Sign up' }).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      await expect.poll(() => shownTimes(email)).toBeGreaterThan(0)
    })

    it('puts a product into the cart and reads about it once', async () => {
      const notice = page.getByText('Your cart has been updated.')
      await page.getByRole('button', { name: 'Add Cast Iron Teapot to the cart' }).click()
      await notice.waitFor()
      expect(await page.getByRole('link', { name: /^Cart/ }).innerText()).toContain('(1)')

      // Whoever goes on before the scripts of a page have run may read its notice on the next one again.
      if (!('javaScriptEnabled' in options)) await untilAnswered(page)
      await page.getByRole('link', { name: /^Cart/ }).click()
      await page.getByLabel('Cast Iron Teapot', { exact: true }).fill('3')
      expect(await notice.count()).toBe(0)
      await page.getByRole('button', { name: 'Update the cart' }).click()
      await page.getByText('Subtotal $267.00').waitFor()
      await page.getByRole('button', { name: 'Remove Cast Iron Teapot' }).click()
      await page.getByText('It is empty.').waitFor()
    })

    it('logs in with the cart in hand, and out again', async () => {
      await page.getByRole('button', { name: 'Add Cast Iron Teapot to the cart' }).click()
      await page.getByRole('link', { name: 'Log in' }).click()
      await shopperOn(page, demo.origin).logInAs('zofia')
      await page.getByText('You are logged in.').waitFor()
      await page.getByRole('link', { name: /^Cart/ }).click()
      await page.getByRole('button', { name: 'Empty the cart' }).click()
      await page.getByText('It is empty.').waitFor()
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByText('You are logged out.').waitFor()
    })

    it('fits the screen', async () => {
      const width = page.viewportSize()?.width ?? 0
      await page.getByRole('button', { name: 'Add Cast Iron Teapot to the cart' }).click()
      for (const path of pages) {
        await page.goto(demo.origin + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        const needed = () => page.evaluate(() => document.documentElement.scrollWidth)
        await expect.poll(needed, { message: path }).toBeLessThanOrEqual(width)
      }
    })
  })
})
