import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '../../dev/seed/accounts.ts'
import { untilAnswered } from '../support/visit.js'
import { openDemo, type Demo } from './demo.js'

/** The newsletter's form takes nobody who is done within a second, which an address then takes. */
const typing = { delay: 20 }

const phone: BrowserContextOptions = { viewport: { width: 375, height: 720 }, hasTouch: true }

const pages = '/ /products/morning-sencha /cart /checkout /login /account /thanks /try-it'.split(
  ' ',
)

const anEmail = () => `visitor-${crypto.randomUUID()}@shop.example`

describe('A visitor of the store', () => {
  let demo: Demo
  let platform: Page

  beforeAll(async () => {
    demo = await openDemo()
    platform = await demo.browser.newPage()
  })

  const shownTimes = async (email: string): Promise<number> => {
    await platform.goto(demo.klaviyo.origin)
    return platform.getByText(email).count()
  }
  const waitUntilShown = (email: string) => expect.poll(() => shownTimes(email)).toBeGreaterThan(0)

  describe.each([
    ['with JavaScript', {}],
    ['without JavaScript, on a phone', { ...phone, javaScriptEnabled: false }],
  ])('%s', (_, options) => {
    let page: Page

    beforeEach(async () => {
      page = await demo.newVisitor(options)
      await page.goto(demo.origin)
    })

    const signUp = async (email: string) => {
      await page.locator('#newsletter-email').pressSequentially(email, typing)
      await page.getByRole('button', { name: 'Sign up' }).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    }

    it("signs up to the newsletter, and is on the platform's page", async () => {
      const email = anEmail()
      await signUp(email)
      await waitUntilShown(email)
    })

    it('leaves no trace as a robot that fills in every field', async () => {
      const [robot, person] = [anEmail(), anEmail()]
      await page.locator('.newsletter [aria-hidden] input').fill('https://robot.example')
      await signUp(robot)
      await page.goto(demo.origin)
      await signUp(person)
      await waitUntilShown(person)
      expect(await shownTimes(robot)).toBe(0)
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
      const zofia = accounts.find(({ email }) => email.startsWith('zofia'))
      await page.getByRole('button', { name: 'Add Cast Iron Teapot to the cart' }).click()
      await page.getByRole('link', { name: 'Log in' }).click()

      await page
        .getByLabel('Email', { exact: true })
        .first()
        .fill(zofia?.email ?? '')
      await page.getByLabel('Password').fill('not the password')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('alert').getByText('did not match').waitFor()

      await page
        .getByLabel('Email', { exact: true })
        .first()
        .fill(zofia?.email ?? '')
      await page.getByLabel('Password').fill(zofia?.password ?? '')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByText('You are logged in.').waitFor()
      expect(await page.getByRole('link', { name: /^Cart/ }).innerText()).toContain('(1)')
      await page.getByRole('link', { name: /^Cart/ }).click()
      await page.getByRole('button', { name: 'Empty the cart' }).click()
      await page.getByText('It is empty.').waitFor()

      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByText('You are logged out.').waitFor()
      await page.getByRole('link', { name: 'Log in' }).waitFor()
    })

    it('gets a page that is none as not found', async () => {
      const answer = await page.goto(`${demo.origin}/a-page-that-never-was`)
      expect(answer?.status()).toBe(404)
    })

    it('fits the screen', async () => {
      const width = page.viewportSize()?.width ?? 0
      await page.getByRole('button', { name: 'Add Cast Iron Teapot to the cart' }).click()
      for (const path of pages) {
        await page.goto(demo.origin + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        const needed = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(needed, path).toBeLessThanOrEqual(width)
      }
    })
  })
})
