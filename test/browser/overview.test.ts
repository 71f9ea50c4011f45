import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoShippingPassword } from '../../dev/environment.ts'
import { createShipStation } from '../../src/mounts/cli/shipstation/stand-in.js'
import { openAdmin } from '../support/demo-store.js'
import { visit } from '../support/visit.js'
import { axeFindings } from './axe-findings.js'
import { closeDemo, openDemo, type Demo } from './demo.js'
import { noteComplaints } from './note-complaints.js'
import { expectToFit } from './width.js'

// One visit, step by step.
describe('A merchant with the overview', { shuffle: false }, () => {
  let demo: Demo
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
    complaints = noteComplaints(page)
    const url = `${demo.origin}/api/globals/alert-settings`
    await page.request.post(url, { data: { recipients: ['merchant@example.com'] } })
  })

  afterAll(closeDemo)

  const open = async () => {
    await visit(page, `${demo.origin}/admin/globals/storeconnect`)
    await page.getByRole('heading', { level: 1, name: 'Storeconnect overview' }).waitFor()
  }
  const openTools = async () => {
    const tab = page.getByRole('navigation', { name: 'Storeconnect overview' })
    await tab.getByRole('link', { name: 'Tools' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor()
  }
  /** What the keyboard is at, by its name. */
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement
      return at?.getAttribute('aria-label') ?? at?.textContent
    })
  const matters = () => section('To do')
  const section = (name: string) => page.getByRole('region', { name, exact: true })

  it('sees what is to do on the first page of the admin, and goes on to the overview', async () => {
    await visit(page, `${demo.origin}/admin`)
    const entries = page.locator('#nav-group-Storeconnect').getByRole('link')
    await entries.first().waitFor({ state: 'attached' })
    expect(await entries.allInnerTexts()).toEqual(['Overview', 'Settings'])
    expect(await entries.first().getAttribute('href')).toBe('/admin/globals/storeconnect')
    expect(await page.locator('[id^="nav-group-Storeconnect"]').count()).toBe(1)
    const said = () => matters().locator('.banner').allInnerTexts()
    let onDashboard: string[] = []
    // The first call of the catalog tries the key.
    await expect
      .poll(async () => {
        await visit(page, `${demo.origin}/admin`)
        await matters().getByText('ShipStation has not been used yet.').waitFor()
        return (onDashboard = await said()).join()
      })
      .not.toContain('has not been tried yet')
    expect(onDashboard.join()).toContain('ShipStation has not asked for orders yet.')
    await matters().getByRole('link', { name: 'Open the overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Storeconnect overview' }).waitFor()
    // The same sentences, with the same buttons.
    expect(await said()).toEqual(onDashboard)
  })

  it('finds each list and the sites from the overview', async () => {
    const lists = section('Records and sites').getByRole('link')
    const paths = await lists.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(paths).toEqual(
      [
        'shipping-notices',
        'shipping-skipped-orders',
        'shipping-pulls',
        'marketing-sends',
        'marketing-histories',
        'storeconnect-alerts',
        'marketing-erasures',
        'sites',
      ].map((slug) => `/admin/collections/${slug}`),
    )
  })

  it('sees what to type in ShipStation, and when it last pulled', async () => {
    const card = section('ShipStation')
    const url = `${demo.origin}/actions/shippingconnect/orders/process`
    await card.getByText(url).waitFor()
    await matters().getByText('has not asked for orders yet').waitFor()
    expect(await section('Skipped orders').count()).toBe(0)

    const shipStation = createShipStation({
      url,
      username: 'shipstation',
      password: demoShippingPassword,
    })
    const day = 86_400_000
    await shipStation.pull({
      from: new Date(Date.now() - 365 * day),
      to: new Date(Date.now() + day),
    })
    // The page learns of it by itself, and leaves what is focused as it is.
    const button = section('Klaviyo').getByRole('button', { name: 'Test the connection' })
    await button.focus()
    await card.getByText(/^\d+ orders?(?:, page (\d+) of \1 · Complete)?$/).waitFor()
    expect(await button.evaluate((focused) => focused === document.activeElement)).toBe(true)
    await card.getByText(/^Orders today: [1-9]\d* fetched by ShipStation/).waitFor()
    // What to type is folded away once it works.
    await card.getByText('What to type in ShipStation').waitFor()
    expect(await card.getByText(url).isVisible()).toBe(false)
  })

  it('sees what is done of the first steps, and a test event arriving', async () => {
    const done = section('First steps').locator('li', { hasText: '(done)' })
    const areDone = (...steps: string[]) =>
      expect
        .poll(() => done.allTextContents())
        .toEqual(
          expect.arrayContaining(steps.map((step): unknown => expect.stringContaining(step))),
        )
    await areDone('username and a password', 'ask for orders once', 'private API key', 'sites of')
    await section('Klaviyo').getByRole('button', { name: 'Send a test event' }).press('Enter')
    await section('Klaviyo')
      .getByText(/^Klaviyo has the event\. It took [\d.]+ (ms|sec)\.$/)
      .waitFor()
    expect(await focused()).toBe('Send a test event')
    await open()
    await areDone('Send a test event')
    await section('First steps')
      .getByText(/^\d \/ 7 done$/)
      .waitFor()
    await section('First steps')
      .getByText(/map Klaviyo's metrics/)
      .waitFor({ state: 'hidden' })
  })

  it('finds all settings behind one entry of the menu, by the keyboard', async () => {
    await visit(page, `${demo.origin}/admin/globals/shipping-settings`)
    const tabs = page.getByRole('navigation', { name: 'Settings' })
    for (const [tab, field] of [
      ['Marketing', 'Private API key'],
      ['Alerts', 'Send a reminder once a day'],
      ['Shipping', 'Username'],
    ] as const) {
      await tabs.getByRole('link', { name: tab }).press('Enter')
      await tabs.locator('[aria-current=page]', { hasText: tab }).waitFor()
      await page.getByLabel(field).first().waitFor()
    }
    await open()
  })

  it('sees at the top how many orders are skipped, and what to do about them', async () => {
    await section('ShipStation').getByText('ShipStation needs attention.').waitFor()
    const skipped = matters().getByRole('link', { name: 'Show the skipped orders' })
    expect(await skipped.getAttribute('href')).toBe(
      '/admin/collections/shipping-skipped-orders?where[or][0][and][0][isFailure][equals]=true',
    )
    await section('Skipped orders').locator('tbody tr').first().waitFor()
  })

  it('sees what is new at once when the page is looked at again', async () => {
    const see = (is: 'hidden' | 'visible') =>
      page.evaluate((state) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: state === 'hidden' })
        document.dispatchEvent(new Event('visibilitychange'))
      }, is)
    await see('hidden')
    await page.request.post(`${demo.origin}/api/globals/shipping-settings`, {
      data: { username: '' },
    })
    await see('visible')
    await matters().getByText('the username or the password is blank').waitFor()
    await page.request.post(`${demo.origin}/api/globals/shipping-settings`, {
      data: { username: 'shipstation' },
    })
  })

  it('reads the name of a variable in the settings, never what it holds', async () => {
    const change = (username: string) =>
      page.request.post(`${demo.origin}/api/globals/shipping-settings`, { data: { username } })
    await change('$PAYLOAD_SECRET')
    await open()
    await section('ShipStation').getByText('What to type in ShipStation').click()
    await section('ShipStation').getByText('$PAYLOAD_SECRET').waitFor()
    await change('shipstation')
  })

  it('sees what failed and why, and resends all of that reason', async () => {
    const fault = demo.klaviyo.standIn.faults.add({
      kind: 'poison',
      marker: 'Bad tea',
      says: 'item',
    })
    for (const name of ['ada', 'bob']) {
      const email = `${name}@example.com`
      await demo.track(page, { email, 'event[name]': 'Liked', 'event[Tea]': 'Bad tea' })
    }
    const failed = section('Failed messages')
    const counted = async () => {
      await open()
      return (await failed.locator('td.cell-failed-count').allInnerTexts()).join()
    }
    await expect.poll(counted).toBe('2')
    await section('Klaviyo').getByText('Klaviyo needs attention.').waitFor()
    await matters().getByText('Klaviyo has refused 2 messages.').waitFor()

    // All of the table is there on a phone too.
    await page.setViewportSize({ width: 390, height: 844 })
    const cutTables = () =>
      page
        .locator('.storeconnect-overview .table')
        .evaluateAll((tables) => tables.filter((table) => table.scrollWidth > table.clientWidth))
    await expect.poll(cutTables).toEqual([])
    await page.setViewportSize({ width: 1280, height: 720 })

    fault.remove()
    await failed.getByRole('button', { name: /^Resend all/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resend all' }).click()
    await page.getByText('2 messages are in the queue again.').first().waitFor()
    await failed.waitFor({ state: 'detached' })
    await section('Klaviyo').getByText('Klaviyo works.').waitFor()
    expect(await focused()).toBe('Failed messages')
    const arrived = () =>
      demo.klaviyo.standIn.state.events.filter(({ properties }) => properties.Tea === 'Bad tea')
        .length
    await expect.poll(arrived).toBe(2)
    await open()
    expect(await section('Messages to Klaviyo in the last 24 hours').locator('rect').count()).toBe(
      24,
    )
  })

  it('reads the XML of an order, and why another one is left out', async () => {
    const orders = await page.request.get(`${demo.origin}/api/orders?limit=1&depth=0`)
    const { docs } = (await orders.json()) as { docs: { reference: string }[] }
    const skipped = await section('Skipped orders')
      .locator('td.cell-skipped-reference')
      .first()
      .innerText()
    await section('Klaviyo')
      .getByText(/^Events today: [1-9]\d* delivered.* waiting, 0 failed/)
      .waitFor()
    await openTools()
    await section('Read from other fields')
      .locator('code', { hasText: 'refundedQuantity' })
      .waitFor()
    const tool = section('An order as ShipStation sees it')
    const look = async (reference: string) => {
      await tool.getByLabel('Order number').fill(reference)
      await tool.getByRole('button', { name: 'Show the XML' }).press('Enter')
    }
    const exported = docs[0]?.reference ?? ''
    await look(exported)
    await tool.getByText(`<OrderNumber>${exported}</OrderNumber>`).waitFor()
    // The XML itself would be read aloud for minutes.
    expect(await tool.locator('[aria-live]').allInnerTexts()).toContain(`Order ${exported}:`)
    expect(await focused()).toBe('Show the XML')

    await look(skipped)
    await tool.getByText('ShipStation does not get order').waitFor()
    await look('nobody-has-this')
    await tool.getByText('There is no order with this number.').waitFor()
  })

  it('reads how much of the catalog Klaviyo has', async () => {
    const catalog = section('Catalog at Klaviyo')
    await expect
      .poll(async () => {
        await visit(page, `${demo.origin}/admin/globals/storeconnect?show=tools`)
        return catalog.innerText()
      })
      .toMatch(/^(?:.*\n)*([1-9]\d*) of \1 products and variants are at Klaviyo/)
    expect(await catalog.getByRole('progressbar').count()).toBe(0)
  })

  it('reads which orders a window would match', async () => {
    const tool = section('Orders between two dates')
    await tool.getByLabel('Start').fill('1 year ago')
    await tool.getByLabel('End').fill('tomorrow')
    await tool.getByRole('button', { name: 'Show the orders' }).click()
    await tool.getByText(/^Changed after .*[1-9]\d* orders? on \d+ pages?\.$/).waitFor()
    expect(await tool.locator('tbody tr').count()).toBeGreaterThan(0)
    const ids = await page
      .locator('.storeconnect-overview [id]')
      .evaluateAll((all) => all.map(({ id }) => id))
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([])
  })

  it('sends the orders of the past, and watches how far that has come', async () => {
    await open()
    await openTools()
    const history = section('Past orders')
    await history.getByRole('button', { name: 'Count the orders' }).click()
    await history.getByText(/^Orders in this period: [1-9]/).waitFor()
    await history.getByRole('button', { name: 'Send them now' }).click()
    await history.getByRole('progressbar').waitFor()
    await history.getByText('Done', { exact: true }).waitFor()
    const text = await history.getByText(/orders passed over/).innerText()
    const [, done, total, events] = /^(\d+) of (\d+) orders, ([\d,]+) events/.exec(text) ?? []
    expect(Number(total)).toBeGreaterThan(0)
    expect(done).toBe(total)
    expect(events).not.toBe('0')
    await history.getByText('Without a valid email: 1').waitFor()
  })

  it('pauses a run, goes on and cancels it, and keeps the place of the keyboard', async () => {
    // The few orders of the demo are sent at once; what the shop does with a long run has tests of
    // its own.
    const run = { id: 1, from: '2025-01-01', to: '2026-01-01', total: 9, done: 3, events: 6 }
    const inState = (state: string) => ({
      run: { ...run, state, passedOver: 1, passedOverFor: { historyNoEmail: 1 } },
    })
    const states = { start: 'running', pause: 'paused', resume: 'running' }
    const answers = { ...states, progress: 'running', cancel: 'cancelled' }
    await page.route('**/api/marketing-histories/**', (route) => {
      const asked = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
      const state = answers[asked as keyof typeof answers]
      return route.fulfill({ json: state ? inState(state) : { orders: 9 } })
    })
    await open()
    await openTools()
    const history = section('Past orders')
    const press = async (name: string) => {
      await history.getByRole('button', { name }).focus()
      await page.keyboard.press('Enter')
    }
    await press('Count the orders')
    await history.getByText('Orders in this period: 9').waitFor()
    await press('Send them now')
    await history.getByRole('heading', { name: 'Orders from Jan 1, 2025' }).waitFor()
    await history.getByText('Without a valid email: 1').waitFor()
    expect(await focused()).toBe('Past orders')
    await press('Pause')
    await history.getByText('Paused', { exact: true }).waitFor()
    expect(await focused()).toBe('Go on')
    await page.keyboard.press('Enter')
    await history.getByText('Sending', { exact: true }).waitFor()
    expect(await focused()).toBe('Pause')
    await press('Cancel')
    await history.getByText('Cancelled', { exact: true }).waitFor()
    expect(await focused()).toBe('Past orders')
    await page.unroute('**/api/marketing-histories/**')
  })

  it.each(['light', 'dark'] as const)('can read the %s pages on any screen', async (scheme) => {
    await page.emulateMedia({ colorScheme: scheme })
    const overview = '/admin/globals/storeconnect'
    for (const path of ['/admin', overview, `${overview}?show=tools`]) {
      await visit(page, `${demo.origin}${path}`)
      await page.locator(`html[data-theme=${scheme}] .storeconnect-overview`).waitFor()
      await page
        .locator('.storeconnect-overview details')
        .evaluateAll((folded) => folded.forEach((each) => each.setAttribute('open', '')))
      expect(await axeFindings(page.locator('.storeconnect-overview'))).toEqual([])
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 640 })
        await expectToFit(page)
      }
    }
  })

  it('puts off an alert for a day, with the keyboard alone', async () => {
    await open()
    // The shop looks once a minute for what is wrong, and the page learns of it by itself.
    const buttons = matters().getByRole('button', { name: 'Put it off for a day' })
    await buttons.first().waitFor({ timeout: 150_000 })
    const before = await buttons.count()
    await buttons.first().press('Enter')
    await matters().getByText('Put off until').waitFor()
    expect(await buttons.count()).toBe(before - 1)
  })

  it('leaves no error in the console', () => {
    expect(complaints).toEqual([])
  })
})
