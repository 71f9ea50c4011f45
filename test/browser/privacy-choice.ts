import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { longSetUp, openDemo, type Demo } from './demo.js'
import { noteComplaints } from './note-complaints.js'

describe('The privacy choice of the demo store', () => {
  let demo: Demo
  let context: BrowserContext
  let page: Page

  beforeAll(async () => {
    demo = await openDemo()
  }, longSetUp)
  afterAll(() => demo?.close())
  beforeEach(async () => {
    context = await demo.browser.newContext()
    page = await context.newPage()
  })

  const banner = () => page.getByRole('region', { name: 'Privacy choice' })
  const metrics = () => demo.klaviyo.standIn.state.events.map(({ metric }) => metric)

  it('offers both answers alike, remembers the answer and can be opened again', async () => {
    await page.goto(demo.origin)
    const styles = await banner()
      .getByRole('button')
      .evaluateAll((buttons: { className: string }[]) => buttons.map(({ className }) => className))
    expect(new Set(styles).size).toBe(1)
    await banner().getByRole('button', { name: 'Refuse' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Privacy choice' }).click()
    await banner().getByRole('button', { name: 'Allow' }).waitFor()
  })

  it('reports what a visitor looks at and buys, within the policy of the pages', async () => {
    const complaints = noteComplaints(page)
    await page.goto(`${demo.origin}/products/morning-sencha`)
    expect(metrics()).not.toContain('Viewed Product')
    await banner().getByRole('button', { name: 'Allow' }).click()
    await expect.poll(metrics).toContain('Viewed Product')
    await expect
      .poll(async () => (await context.cookies()).map(({ name }) => name))
      .toContain('__kla_id')
    await page.getByRole('button', { name: /^Add .* to the cart$/ }).click()
    await expect.poll(metrics).toContain('Added to Cart')
    for (const path of ['/', '/cart', '/checkout', '/login', '/help/delivery', '/us']) {
      await page.goto(demo.origin + path)
      await page.getByRole('heading').first().waitFor()
    }
    expect(complaints).toEqual([])
  })
})
