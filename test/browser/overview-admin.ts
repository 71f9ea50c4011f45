import type { Browser, ConsoleMessage, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '../../dev/seed/accounts.ts'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { demoShippingPassword } from '../../dev/environment.ts'
import { createShipStation } from '../../dev/shipstation/platform.ts'
import { openAdmin, openBrowser, startDemoStore, type DemoStore } from '../support/demo-store.js'

// Builds the demo store when it is not built, which takes a minute.
const longSetUp = 300_000

// One visit, told in order.
describe('A merchant with the overview', { shuffle: false }, () => {
  let klaviyo: ServedStandIn
  let store: DemoStore
  let browser: Browser
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
    store = await startDemoStore({ KLAVIYO_URL: klaviyo.origin, KLAVIYO_API_KEY: demoApiKey })
    browser = await openBrowser()
    page = await openAdmin(browser, store)
    page.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
  }, longSetUp)

  afterAll(async () => {
    await browser?.close()
    await store?.close()
    await klaviyo?.close()
  })

  const open = async () => {
    await page.goto(`${store.origin}/admin/storeconnect`)
    await page.getByRole('heading', { level: 1, name: 'Storeconnect overview' }).waitFor()
  }
  const section = (name: string) => page.getByRole('region', { name, exact: true })

  /** Posts as a page of the store does. */
  const track = async (fields: Record<string, string>) => {
    const info = await page.request.get(`${store.origin}/actions/users/session-info`)
    const { csrfTokenValue } = (await info.json()) as { csrfTokenValue: string }
    await page.request.post(`${store.origin}/actions/marketingconnect/api/track`, {
      form: { ...fields, CSRF_TOKEN: csrfTokenValue },
      headers: { 'x-requested-with': 'XMLHttpRequest' },
    })
  }

  it('finds the page in the navigation', async () => {
    await page.goto(`${store.origin}/admin`)
    const link = page.locator('#nav-storeconnect')
    await link.waitFor({ state: 'attached' })
    expect(await link.getAttribute('href')).toBe('/admin/storeconnect')
    await open()
  })

  it('sees what to type in ShipStation, and when it last pulled', async () => {
    const card = section('ShipStation')
    const url = `${store.origin}/actions/shippingconnect/orders/process`
    await card.getByText(url).waitFor()
    await card.getByText('has not asked for orders yet').waitFor()

    const platform = createShipStation({
      url,
      username: 'shipstation',
      password: demoShippingPassword,
    })
    const day = 86_400_000
    await platform.pull({ from: new Date(Date.now() - 365 * day), to: new Date(Date.now() + day) })
    await open()
    await card.getByText('Connected', { exact: true }).waitFor()
    await card.getByText(/orders? on the first of|on the first of/).waitFor()
  })

  it('sees whose account Klaviyo says the key is', async () => {
    await section('Klaviyo').getByRole('button', { name: 'Test the connection' }).click()
    await section('Klaviyo').getByText('Kettle & Quill').waitFor()
  })

  it('sees what failed and why, and resends all of that reason', async () => {
    const fault = klaviyo.standIn.faults.add({ kind: 'poison', marker: 'Bad tea', says: 'item' })
    for (const name of ['ada', 'bob']) {
      const email = `${name}@example.com`
      await track({ email, 'event[name]': 'Liked', 'event[Tea]': 'Bad tea' })
    }
    const failed = section('Not taken by Klaviyo')
    const counted = async () => {
      await open()
      return (await failed.locator('td.cell-count').allInnerTexts()).join()
    }
    await expect.poll(counted, { timeout: 30_000 }).toBe('2')

    fault.remove()
    await failed.getByRole('button', { name: /^Resend all/ }).click()
    await page.getByText('In the queue again: 2').first().waitFor()
    await failed.getByText('Nothing failed.').waitFor()
    const arrived = () =>
      klaviyo.standIn.state.events.filter(({ properties }) => properties.Tea === 'Bad tea').length
    await expect.poll(arrived, { timeout: 30_000 }).toBe(2)
    await open()
    expect(await section('Sends of the last 24 hours').locator('rect').count()).toBe(24)
  })

  it('reads the XML of an order, and why another one is left out', async () => {
    const orders = await page.request.get(`${store.origin}/api/orders?limit=1&depth=0`)
    const { docs } = (await orders.json()) as { docs: { reference: string }[] }
    const tool = section('An order as ShipStation sees it')
    const look = async (reference: string) => {
      await tool.getByLabel('Order number').fill(reference)
      await tool.getByRole('button', { name: 'Show the XML' }).press('Enter')
    }
    const exported = docs[0]?.reference ?? ''
    await look(exported)
    await tool.getByText(`<OrderNumber>${exported}</OrderNumber>`).waitFor()

    await look(await section('Orders left out').locator('td.cell-reference').first().innerText())
    await tool.getByText('The export leaves').waitFor()
    await look('nobody-has-this')
    await tool.getByText('There is no order of this number.').waitFor()
  })

  it('reads which orders a window would match', async () => {
    const tool = section('Orders of a window')
    await tool.getByLabel('Start').fill('1 year ago')
    await tool.getByLabel('End').fill('tomorrow')
    await tool.getByRole('button', { name: 'Show the orders' }).click()
    await tool.getByText(/^Changed after .*[1-9]\d* orders on \d+ pages\.$/).waitFor()
    expect(await tool.locator('tbody tr').count()).toBeGreaterThan(0)
  })

  it('sends the orders of the past, and watches how far that has come', async () => {
    await open()
    const history = section('Past orders')
    await history.getByRole('button', { name: 'Count the orders' }).click()
    await history.getByText(/^Orders in this period: [1-9]/).waitFor()
    await history.getByRole('button', { name: 'Send them now' }).click()
    await history.getByRole('progressbar').waitFor()
    await history.getByText('Done', { exact: true }).waitFor()
    const [, done, total] =
      /^(\d+) of (\d+) orders/.exec(await history.getByText(/orders passed over/).innerText()) ?? []
    expect(Number(total)).toBeGreaterThan(0)
    expect(done).toBe(total)
  })

  it('reads the page at night and on a phone', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await open()
    await page.locator('html[data-theme=dark]').waitFor()
    const [ink, paper] = await section('ShipStation').evaluate((card) => {
      const { color, backgroundColor } = getComputedStyle(card)
      return [color, backgroundColor].map((text) => Number(/\d+/.exec(text)?.[0]))
    })
    expect(ink).toBeGreaterThan((paper ?? 0) + 100)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBeLessThanOrEqual(0)
  })

  it('finds the headings in order and every control named', async () => {
    const levels = await page
      .locator('.storeconnect-overview :is(h1, h2, h3)')
      .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))))
    expect(levels[0]).toBe(1)
    levels.slice(1).forEach((level, index) => {
      expect(level).toBeLessThanOrEqual((levels[index] ?? 0) + 1)
    })
    for (const control of await page
      .locator('.storeconnect-overview :is(button, a, input)')
      .all()) {
      await expect.poll(() => control.ariaSnapshot()).toMatch(/"[^"]+"/)
    }
  })

  it('is the only one who sees the page', async () => {
    const stranger = await browser.newPage()
    await stranger.goto(`${store.origin}/admin/storeconnect`)
    await stranger.waitForURL(/\/admin\/login/)
    const customer = accounts.find(({ role }) => role === 'customer')
    await stranger.request.post(`${store.origin}/api/users/login`, {
      data: { email: customer?.email, password: customer?.password },
    })
    await stranger.goto(`${store.origin}/admin/storeconnect`)
    await stranger.waitForURL(/\/admin\/unauthorized/)
    const answer = await stranger.request.get(`${store.origin}/admin/storeconnect`)
    expect(await answer.text()).not.toContain('shippingconnect')
    await stranger.close()
  })

  it('leaves no error in the console', () => {
    expect(complaints).toEqual([])
  })
})
