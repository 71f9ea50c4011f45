import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDemo, type Demo } from './demo.js'
import { noteComplaints } from './note-complaints.js'
import { shopperOn } from './shopper.js'

describe('The privacy choice of the demo store', () => {
  let demo: Demo
  let context: BrowserContext
  let page: Page

  beforeAll(async () => {
    demo = await openDemo()
  })
  beforeEach(async () => {
    page = await demo.newVisitor()
    context = page.context()
  })

  const banner = () => page.getByRole('region', { name: 'Privacy choice' })
  const metrics = () => demo.klaviyo.standIn.state.events.map(({ metric }) => metric)

  it('is asked once, also where the pages are static', async () => {
    const toKlaviyo: string[] = []
    page.on('request', (request) => {
      if (request.url().startsWith(demo.klaviyo.origin)) toKlaviyo.push(request.url())
    })
    const complaints = noteComplaints(page)
    await page.goto(`${demo.origin}/help/delivery`)
    await banner().getByRole('button', { name: 'Allow' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(toKlaviyo).toEqual([])
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('__kla_id')

    const scripts = () => toKlaviyo.filter((url) => url.includes('/onsite/js/'))
    await banner().getByRole('button', { name: 'Allow' }).click()
    await expect.poll(scripts).toHaveLength(1)
    await page.goto(demo.origin)
    await page.getByRole('button', { name: 'Privacy choice' }).waitFor()
    await expect.poll(scripts).toHaveLength(2)
    await page.goto(`${demo.origin}/help/returns`)
    await page.getByRole('button', { name: 'Privacy choice' }).waitFor()
    await expect.poll(scripts).toHaveLength(3)
    expect([await banner().count(), complaints]).toEqual([0, []])
  })

  it('learns who has logged in where links do not load the page', async () => {
    const zofia = () => demo.klaviyo.standIn.state.profileByEmail('zofia@example.com')
    await page.goto(`${demo.origin}/help/delivery`)
    await banner().getByRole('button', { name: 'Allow' }).click()
    await expect
      .poll(async () => (await context.cookies()).map(({ name }) => name))
      .toContain('__kla_id')
    await shopperOn(page, demo.origin).logInBehindThePage('zofia')
    const before = zofia()?.attributes._kx

    await page.getByRole('link', { name: 'Returns' }).click()
    await page.getByRole('heading', { name: 'Returns' }).waitFor()
    await expect.poll(() => zofia()?.attributes._kx).not.toBe(before)
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
