import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { abandonedCartNumbers } from '../../dev/abandoned-cart-numbers.ts'
import { axeFindings } from './axe-findings.js'
import { openDemo, type Demo } from './demo.js'
import { restoreLinkOf, shopperOn } from './shopper.js'
import { expectToFit, phone, smallScreen } from './width.js'

describe('A shopper who left a cart behind', () => {
  let demo: Demo

  beforeAll(async () => {
    demo = await openDemo()
  })

  /** A browser that was never here. */
  async function anotherBrowser(options: BrowserContextOptions = {}) {
    const page = await demo.newVisitor(options)
    return { page, shopper: shopperOn(page, demo.origin) }
  }

  async function leaveCart(title: string): Promise<string> {
    const { shopper } = await anotherBrowser()
    await shopper.putIntoCart(title)
    return shopper.restoreLink()
  }

  const linesOf = (page: Page) => page.locator('.cart-lines label').allInnerTexts()
  const zofiasLink = () => restoreLinkOf(demo.origin, abandonedCartNumbers.customer)

  describe.each([
    ['with JavaScript, on a phone', { viewport: { width: 375, height: 720 }, hasTouch: true }],
    ['without JavaScript', { javaScriptEnabled: false }],
  ])('%s', (_, options) => {
    it("is asked to log out of somebody else's account first", async () => {
      const { page, shopper } = await anotherBrowser(options)
      await page.goto(`${demo.origin}/login`)
      await shopper.logInAs('daniel')
      await page.getByText('You are logged in.').waitFor()

      await page.goto(zofiasLink())
      await page.getByRole('heading', { name: 'Log Out to Continue' }).waitFor()
      await page.getByRole('link', { name: 'Keep my own cart' }).press('Enter')
      await page.waitForURL(`${demo.origin}/cart`)
      expect(await linesOf(page)).not.toContain('Letter Set')

      await page.goto(zofiasLink())
      await page.getByRole('button').click()
      await page.getByRole('heading', { name: 'Log In' }).waitFor()
      await page.getByText('Log In').last().click()
      await shopper.logInAs('zofia')
      await page.getByText('Your cart has been restored.').waitFor()
      expect(await linesOf(page)).toEqual(['Letter Set', 'Linden Honey'])
    })

    it('finds it in another browser, as a guest, and can have the cart back that was there before', async () => {
      const link = await leaveCart('Cast Iron Teapot')
      const { page, shopper } = await anotherBrowser(options)
      await shopper.putIntoCart('Linden Honey')
      await page.goto(link)
      expect(page.url()).toBe(`${demo.origin}/cart`)
      expect(await linesOf(page)).toEqual(['Cast Iron Teapot'])
      await page.getByText('You also had a cart with one thing.').waitFor()
      await page.getByRole('link', { name: 'Bring it back' }).click()
      await page.getByText('Your cart has been restored.').waitFor()
      expect(await linesOf(page)).toEqual(['Linden Honey'])
    })
  })

  it.each(['light', 'dark'] as const)('can read what it is asked, on %s', async (colorScheme) => {
    const { page, shopper } = await anotherBrowser({ colorScheme })
    await page.goto(`${demo.origin}/login`)
    await shopper.logInAs('daniel')
    await page.getByText('You are logged in.').waitFor()
    await page.goto(zofiasLink())
    await page.getByRole('heading', { name: 'Log Out to Continue' }).waitFor()
    expect(await axeFindings(page.locator('html'))).toEqual([])
    for (const size of [phone, smallScreen]) {
      await page.setViewportSize(size)
      await expectToFit(page)
    }
  })

  it('buys it in another browser, never what that browser had before, and sees the order', async () => {
    const link = await leaveCart('Cast Iron Teapot')
    const { page, shopper } = await anotherBrowser()
    await shopper.putIntoCart('Linden Honey')
    await page.goto(link)
    await page.getByRole('link', { name: 'To the checkout' }).click()
    await shopper.buy()

    expect(page.url()).toBe(`${demo.origin}/orders/${new URL(link).searchParams.get('number')}`)
    expect(await page.locator('.order-lines').innerText()).toContain('1 × Cast Iron Teapot')
    expect(await page.locator('.order-lines').innerText()).not.toContain('Linden Honey')
    expect(await page.getByRole('link', { name: /^Cart/ }).innerText()).toContain('(0)')
    expect(await page.locator('main').innerText()).not.toContain('Gwen')
    expect((await page.goto(link))?.status()).toBe(400)
  })
})
