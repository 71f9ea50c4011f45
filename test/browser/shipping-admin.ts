import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createShipStation } from '../../src/mounts/cli/shipstation/stand-in.js'
import type { Story } from '../../src/merchant/story/story-entry.js'
import { parcelStates } from '../../src/shop/orders/parcel-state.js'
import { openAdmin } from '../support/demo-store.js'
import { untilAnswered, visit } from '../support/visit.js'
import { axeFindings } from './axe-findings.js'
import { openDemo, type Demo } from './demo.js'
import { save } from './save.js'
import { unfold } from './unfold.js'
import { expectToFit, expectWhollyInView, phone, smallScreen } from './width.js'

// One visit, step by step.
describe('A merchant in the admin', { shuffle: false }, () => {
  let demo: Demo
  let page: Page
  let orderPath: string

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

  /** All of a part of a page can be seen, and axe finds nothing wrong in what of it is not Payload's own. */
  async function expectReadable(part: Locator, own = part): Promise<void> {
    for (const size of [phone, smallScreen]) {
      await page.setViewportSize(size)
      await expectToFit(page)
      await expectWhollyInView(part)
      expect(await axeFindings(own)).toEqual([])
    }
  }

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
  })

  it('changes the settings, and the platform pulls and ships with them at once', async () => {
    await visit(page, `${demo.origin}/admin/globals/shipping-settings`)
    await page.fill('#field-username', 'warehouse')
    await page.fill('#field-password', 'käse:brot')
    expect(await page.getAttribute('#field-password', 'type')).toBe('password')
    await page.getByRole('button', { name: 'Show', exact: true }).press('Enter')
    expect(await page.getAttribute('#field-password', 'type')).toBe('text')
    await unfold(page)
    await page.fill('#field-pageSize', '7')
    await save(page)

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

    orderPath = `/admin/collections/orders/${waiting?.orderId ?? ''}`
    await visit(page, demo.origin + orderPath)
    await expect.poll(() => page.locator('#field-status').innerText()).toContain('Shipped')
    const trackingNumber = page.locator('[name="tracking.0.trackingNumber"]')
    await trackingNumber.waitFor({ state: 'attached' })
    expect(await trackingNumber.inputValue()).toBe('9400111899223197428490')
  })

  it('reads what happened to the order, on a phone too, and follows its links by the keyboard', async () => {
    await page.getByRole('button', { name: 'What happened' }).click()
    const story = page.getByRole('region', { name: 'What happened' })
    const parcel = story.getByRole('link', { name: 'USPS · 9400111899223197428490' })
    expect(await parcel.getAttribute('href')).toContain('tLabels=9400111899223197428490')
    for (const told of [
      /Shipment: USPS · Priority Mail · 9400111899223197428490/,
      /Processing → Shipped/,
      /Status: Shipped/,
      /Fetched by ShipStation, page \d+ of \d+/,
      /Placed/,
    ]) {
      await story.getByText(told).first().waitFor()
    }
    await page.setViewportSize(phone)
    await expectToFit(page)
    const xml = story.getByRole('link', { name: 'The XML' })
    await expectWhollyInView(xml)
    await page.setViewportSize(smallScreen)
    const xmlUrl = new URL((await xml.getAttribute('href')) ?? '', demo.origin)
    const answer = await page.request.get(xmlUrl.href)
    expect(await answer.text()).toContain('<OrderStatus>shipped</OrderStatus>')
    await story.getByRole('link', { name: 'The request' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/collections\/shipping-pulls\//)
  })

  it('switches tracking updates on with the keyboard alone', async () => {
    await visit(page, `${demo.origin}/admin/globals/shipping-settings`)
    const box = page.getByRole('checkbox', { name: 'Tracking updates' })
    await box.focus()
    await page.keyboard.press('Space')
    expect(await box.isChecked()).toBe(true)
    await save(page, () => page.keyboard.press('Control+s'))
    // A webhook of long ago is refused; before, there was no such URL.
    const headers = {
      'x-shipengine-rsa-sha256-key-id': 'key',
      'x-shipengine-rsa-sha256-signature': 'signature',
      'x-shipengine-timestamp': '2020-01-01T00:00:00Z',
    }
    const webhook = await page.request.post(`${demo.origin}/actions/shippingconnect/tracking`, {
      data: {},
      headers,
    })
    expect(webhook.status()).toBe(400)
  })

  it.each(['light', 'dark'] as const)(
    'reads how far parcels are, on any screen, in a %s admin',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      await visit(page, `${demo.origin}/admin/globals/shipping-settings`)
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
      const box = page.locator('#field-trackingUpdates')
      const setting = page.locator('.field-type', { has: box }).last()
      await expectReadable(setting, setting.locator('.checkbox-input'))

      // Nobody but ShipStation can sign its webhooks. What the shop does with them has tests of its own.
      await page.route('**/api/storeconnect/story/orders/*', async (route) => {
        const response = await route.fetch()
        const story = (await response.json()) as Story
        const parcel = { carrier: 'USPS', trackingNumber: '9400111899223197428490' }
        const moved = parcelStates.map((state) => ({
          ...{ is: 'parcel' as const, state, at: new Date().toISOString(), ...parcel },
        }))
        await route.fulfill({ response, json: { ...story, entries: [...moved, ...story.entries] } })
      })
      await visit(page, demo.origin + orderPath)
      await page.getByRole('button', { name: 'What happened' }).press('Enter')
      const story = page.getByRole('region', { name: 'What happened' })
      for (const told of ['On its way', 'Out for delivery', 'Lost', 'Delivered']) {
        await story.getByText(`${told}: USPS · 9400111899223197428490`).waitFor()
      }
      await expectReadable(story)
      await page.unroute('**/api/storeconnect/story/orders/*')
      await page.emulateMedia({ colorScheme: 'light' })
    },
  )

  it('finds the order by its tracking number, and reads in the list how it stands', async () => {
    await visit(page, `${demo.origin}/admin/collections/orders?search=94001118992`)
    const rows = page.locator('tbody tr')
    await rows.getByText('Shipped: USPS · 9400111899223197428490').waitFor()
    expect(await rows.count()).toBe(1)
  })

  it('tests the URL, the login and the orders with one press', async () => {
    await visit(page, `${demo.origin}/admin/globals/shipping-settings`)
    const press = () => page.getByRole('button', { name: 'Test as ShipStation does' }).click()
    await press()
    await page.getByText('The URL answers, and logins arrive there.').waitFor()
    await page.getByText(/^Of the last 30 days ShipStation would get \d+ orders?\.$/).waitFor()
    await page.route('**/orders/process?*', async (route) => {
      await route.continue({ headers: { ...route.request().headers(), authorization: '' } })
    })
    await press()
    await page.getByText('takes the header “Authorization” away').waitFor()
    await page.unroute('**/orders/process?*')
    expect(await axeFindings(page.locator('.field-type:has([role=status])').first())).toEqual([])
  })

  it('chooses among what the orders have, and reads beside a setting why it is refused', async () => {
    await visit(page, `${demo.origin}/admin/globals/shipping-settings`)
    await unfold(page)
    await page.locator('#field-statusHandle input').fill('com')
    await page.getByRole('option', { name: 'Completed' }).click()
    // An array has no entry types.
    expect(await page.locator('#field-entryType').count()).toBe(0)
    // On a busy machine Payload's form sometimes shows no reason after a save: a merchant saves again.
    let tries = 0
    const isRefused = async () => {
      await page.fill('#field-pageSize', `abc${++tries}`)
      await page.click('#action-save')
      const reason = page.getByText('A whole number from 1 to 1000.')
      return reason.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      )
    }
    await expect.poll(isRefused, { timeout: 60_000 }).toBe(true)
    await page.fill('#field-pageSize', '7')
    await save(page)
    await page.reload()
    await untilAnswered(page)
    await page.getByText('Completed').waitFor()
    await page.locator('#field-statusHandle input').fill('ship')
    await page.getByRole('option', { name: 'Shipped' }).click()
    await save(page)
  })

  it("types amounts as prices in the order's currency", { timeout: 900_000 }, async () => {
    for (const [currency, typed, stored] of [
      ['USD', '5.90', 590],
      ['JPY', '590', 590],
      ['KWD', '5.901', 5901],
    ] as const) {
      const found = await page.request.get(
        `${demo.origin}/api/orders?where[currency][equals]=${currency}&limit=1&depth=0`,
      )
      const { docs } = (await found.json()) as { docs: { id: number }[] }
      const id = docs[0]?.id ?? 0
      const open = () => visit(page, `${demo.origin}/admin/collections/orders/${id}`)
      await open()
      const amounts = [page.locator('#shippingAmount'), page.locator('[id="items.0.unitPrice"]')]
      // Payload's form may be made anew after the page was opened. It then closes its rows.
      const type = async () => {
        if (await amounts[1]?.isHidden()) {
          await page.getByRole('button', { name: 'Show All' }).first().click()
        }
        try {
          for (const amount of amounts) await amount.fill(typed, { timeout: 10_000 })
          for (const amount of amounts) await amount.blur({ timeout: 10_000 })
          return await Promise.all(amounts.map((amount) => amount.inputValue()))
        } catch (error) {
          // On a busy machine the page sometimes stays without its form.
          await open()
          return String(error)
        }
      }
      await expect.poll(type, { timeout: 240_000 }).toEqual([typed, typed])
      await save(page)
      const answer = await page.request.get(`${demo.origin}/api/orders/${id}?depth=0`)
      const saved = (await answer.json()) as {
        shippingAmount: number
        items: { unitPrice: number }[]
      }
      expect([saved.shippingAmount, saved.items[0]?.unitPrice]).toEqual([stored, stored])
    }
  })

  it('reads on the page which variable is missing', async () => {
    await visit(page, `${demo.origin}/admin/globals/shipping-settings`)
    await page.fill('#field-username', '$A_NAME_THAT_NOBODY_SET')
    await save(page)
    await page.getByText('Environment variables that are not set: A_NAME_THAT_NOBODY_SET').waitFor()
    await expect(shipStation('käse:brot').pull(lastYear)).rejects.toMatchObject({ status: 401 })
  })
})
