import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { abandonedCartNumbers } from '../../dev/abandoned-cart-numbers.ts'
import { demoCarts } from '../../dev/seed/demo-carts.ts'
import { openDemo, type Demo } from './demo.js'
import { restoreLinkOf } from './shopper.js'

const notice = 'Your cart has been restored.'
const cart = demoCarts.find(({ number }) => number === abandonedCartNumbers.guest)
const inCart = `${cart?.items.reduce((sum, { quantity }) => sum + quantity, 0)} in it`

describe('A page that is built before anybody asks for it', () => {
  let demo: Demo
  let context: BrowserContext
  let page: Page
  let link: string

  beforeAll(async () => {
    demo = await openDemo()
    link = restoreLinkOf(demo.origin, abandonedCartNumbers.guest)
  })
  beforeEach(async () => {
    page = await demo.newVisitor()
    context = page.context()
  })

  /** Opens the link of a mail, and goes to a static page before the cart page shows the notice. */
  async function restoreAndOpen(path: string): Promise<void> {
    await context.request.get(link, { maxRedirects: 0 })
    await page.goto(demo.origin + path)
  }
  const refresh = () =>
    page.evaluate(() => {
      const { next } = window as unknown as { next: { router: { refresh(): void } } }
      next.router.refresh()
    })

  it('shows the notice and the cart after a restore, with one request that nobody keeps', async () => {
    const asked: string[] = []
    page.on('response', (response) => {
      if (!response.url().includes('/actions/')) return
      asked.push(`${new URL(response.url()).pathname} ${response.headers()['cache-control']}`)
    })
    await restoreAndOpen('/help/delivery')
    await page.getByText(notice).waitFor()
    await page.getByLabel(inCart).waitFor()
    expect(asked).toEqual(['/actions/users/session-info no-store'])
  })

  it('keeps the notice when the cart that it asks for starts the provider anew', async () => {
    let answer: (() => Promise<void>) | undefined
    await page.route('**/session-info*', (route) => {
      answer = () => route.continue()
    })
    await restoreAndOpen('/help/delivery')
    await page.getByText(notice).waitFor()
    await vi.waitFor(() => expect(answer).toBeDefined())
    await answer?.()
    await page.getByLabel(inCart).waitFor()
    expect(await page.getByText(notice).count()).toBe(1)
  })

  it('keeps the notice while it is refreshed, until the visitor leaves', async () => {
    await restoreAndOpen('/help/delivery')
    await page.getByText(notice).waitFor()
    const refreshed = page.waitForResponse((response) => response.url().includes('_rsc='))
    await refresh()
    await refreshed
    expect(await page.getByText(notice).isVisible()).toBe(true)

    await page.getByRole('link', { name: 'Returns' }).click()
    await page.getByRole('heading', { name: 'Returns' }).waitFor()
    expect(await page.getByText(notice).count()).toBe(0)
    await page.getByRole('link', { name: 'Delivery' }).click()
    await page.getByRole('heading', { name: 'Delivery' }).waitFor()
    expect(await page.getByText(notice).count()).toBe(0)
    await page.reload()
    await page.getByRole('heading', { name: 'Delivery' }).waitFor()
    expect(await page.getByText(notice).count()).toBe(0)
  })

  it('shows a notice no second time after a page that was made for the visit showed it', async () => {
    await page.goto(link)
    await page.getByText(notice).waitFor()
    await page.waitForFunction(() => !document.cookie.includes('storeconnect-notices'))
    await page.goto(`${demo.origin}/help/delivery`)
    await page.getByLabel(inCart).waitFor()
    expect(await page.getByText(notice).count()).toBe(0)
  })
})
