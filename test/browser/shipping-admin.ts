import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createShipStation } from '../../dev/shipstation/platform.ts'
import { openAdmin } from '../support/demo-store.js'
import { longSetUp, openDemo, type Demo } from './demo.js'

// One visit, told in order.
describe('A merchant in the admin', { shuffle: false }, () => {
  let demo: Demo
  let page: Page

  const shipStation = (password: string) =>
    createShipStation({
      url: `${demo.origin}/actions/shippingconnect/orders/process`,
      username: 'warehouse',
      password,
    })
  const lastYear = {
    from: new Date(Date.now() - 365 * 86_400_000),
    to: new Date(Date.now() + 86_400_000),
  }

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
  }, longSetUp)

  afterAll(() => demo?.close())

  it('changes the settings, and the platform pulls and ships with them at once', async () => {
    await page.goto(`${demo.origin}/admin/globals/shipping-settings`)
    await page.fill('#field-username', 'warehouse')
    await page.fill('#field-password', 'käse:brot')
    await page.fill('#field-pageSize', '7')
    await page.click('#action-save')
    await page.getByText('Updated successfully').first().waitFor()

    const pull = await shipStation('käse:brot').pull(lastYear)
    const waiting = pull.orders.find(({ orderStatus }) => orderStatus === 'processing')
    expect(pull.pages).toBeGreaterThan(1)
    expect(pull.documents[0]?.orders.length).toBeLessThanOrEqual(7)
    expect(waiting).toBeDefined()

    const orderNumber = waiting?.orderNumber ?? ''
    await shipStation('käse:brot').ship({
      orderNumber,
      carrier: 'USPS',
      service: 'Priority Mail',
      trackingNumber: '9400111899223197428490',
      items: [{ sku: 'TEA-1', name: 'Tea', quantity: 1 }],
    })

    await page.goto(`${demo.origin}/admin/collections/orders/${waiting?.orderId ?? ''}`)
    await expect
      .poll(() => page.locator('#field-status').innerText(), { timeout: 30_000 })
      .toContain('Shipped')
    const trackingNumber = page.locator('[name="tracking.0.trackingNumber"]')
    await trackingNumber.waitFor({ state: 'attached' })
    expect(await trackingNumber.inputValue()).toBe('9400111899223197428490')
  })

  it('never gets the password back in clear', async () => {
    await page.goto(`${demo.origin}/admin/globals/shipping-settings`)
    await page.locator('#field-password').waitFor()
    expect(await page.inputValue('#field-password')).toMatch(/^•+$/)
    expect(await page.content()).not.toContain('käse:brot')
  })

  it('keeps the password when something else is saved', async () => {
    await page.goto(`${demo.origin}/admin/globals/shipping-settings`)
    await page.fill('#field-pageSize', '9')
    await page.click('#action-save')
    await page.getByText('Updated successfully').first().waitFor()
    expect((await shipStation('käse:brot').pull(lastYear)).orders.length).toBeGreaterThan(0)
  })

  it('reads on the page which variable is missing', async () => {
    await page.goto(`${demo.origin}/admin/globals/shipping-settings`)
    await page.fill('#field-username', '$A_NAME_THAT_NOBODY_SET')
    await page.click('#action-save')
    await page.getByText('Updated successfully').first().waitFor()
    await page.reload()
    await page.getByText('Environment variables that are not set: A_NAME_THAT_NOBODY_SET').waitFor()
    await expect(shipStation('käse:brot').pull(lastYear)).rejects.toMatchObject({ status: 401 })
  })

  it('sees which orders were left out of the export, and why', async () => {
    await page.goto(`${demo.origin}/admin/collections/shipping-omissions`)
    await page.getByText('Its shipping address has no two-letter country.').first().waitFor()
  })

  it('is the only one who sees the settings', async () => {
    const stranger = await fetch(`${demo.origin}/api/globals/shipping-settings`)
    expect(stranger.status).toBe(403)
  })
})
