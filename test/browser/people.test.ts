import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { allTranslations } from '../../src/core/translations/translations.js'
import { openAdmin } from '../support/demo-store.js'
import { visit } from '../support/visit.js'
import { axeFindings } from './axe-findings.js'
import { closeDemo, openDemo, type Demo } from './demo.js'
import { noteComplaints } from './note-complaints.js'
import { expectToFit, phone, smallScreen } from './width.js'

const translations = await allTranslations()

// One visit, step by step.
describe('A merchant who is asked why a mail did not arrive', { shuffle: false }, () => {
  const email = 'ada.guest@example.com'
  let demo: Demo
  let page: Page
  let complaints: string[]
  let order: { id: number; reference: string }

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
    complaints = noteComplaints(page)
    const fault = demo.klaviyo.standIn.faults.add({
      kind: 'poison',
      marker: 'Bad tea',
      says: 'item',
    })
    await demo.track(page, { email, 'event[name]': 'Liked', 'event[Tea]': 'Good tea' })
    await demo.track(page, { email, 'event[name]': 'Liked', 'event[Tea]': 'Bad tea' })
    const orders = `${demo.origin}/api/orders`
    const guests = await page.request.get(`${orders}?limit=1&depth=0&where[customer][exists]=false`)
    const { docs } = (await guests.json()) as { docs: (typeof order)[] }
    const data = { customerEmail: email }
    const kept = await page.request.patch(`${orders}/${docs[0]?.id}?depth=0`, { data })
    order = ((await kept.json()) as { doc: typeof order }).doc
    const profile = () =>
      [...demo.klaviyo.standIn.state.profiles.values()].find(
        ({ attributes }) => attributes.email === email,
      )
    await vi.waitFor(() => expect(profile()).toBeDefined(), { timeout: 30_000 })
    demo.klaviyo.standIn.people.suppress(profile()?.id ?? '', 'HARD_BOUNCE')
    const refused = () => demo.klaviyo.standIn.state.calls.some(({ status }) => status === 400)
    await vi.waitFor(() => expect(refused()).toBe(true), { timeout: 30_000 })
    fault.remove()
  })

  afterAll(closeDemo)

  const about = () => page.locator('.storeconnect-overview')
  const section = (name: string | RegExp) => page.getByRole('region', { name })
  const answered = () => about().getByText('Klaviyo suppresses').waitFor()
  const open = async () => {
    await visit(page, `${demo.origin}/admin/globals/storeconnect?show=person&order=${order.id}`)
    await answered()
  }

  it('finds the person by the keyboard behind the tab of the overview, and no email is in the URL', async () => {
    await visit(page, `${demo.origin}/admin/globals/storeconnect`)
    await page.getByRole('link', { name: 'A person', exact: true }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'A person', exact: true }).waitFor()
    await about().getByLabel('Email or phone number').fill('ADA.guest@example.com')
    await page.keyboard.press('Enter')
    await answered()
    expect(page.url()).not.toContain('ada')
    const said = await about().locator('.banner').allInnerTexts()
    expect(said[0]).toContain('“Liked” failed: The payload provided in the request is invalid.')
    expect(said[1]).toContain(`Klaviyo suppresses ${email}: a mail came back for good`)
    await section(/^Orders \(1\)/)
      .getByRole('link', { name: order.reference })
      .waitFor()
    await section('Messages to Klaviyo').getByText('Failed').waitFor()
  })

  it('gets there with one click from an order and a send', async () => {
    const sends = await page.request.get(
      `${demo.origin}/api/marketing-sends?where[state][equals]=failed&depth=0`,
    )
    const { docs } = (await sends.json()) as { docs: { id: number }[] }
    const places: [path: string, link: string][] = [
      [`collections/orders/${order.id}`, 'Everything about this person'],
      [`collections/marketing-sends/${docs[0]?.id}`, 'Everything about this person'],
    ]
    for (const [path, link] of places) {
      await visit(page, `${demo.origin}/admin/${path}`)
      // The story of an order is in a tab of its own, where the orders have tabs.
      const story = page.getByRole('button', { name: 'What happened', exact: true })
      if (path.includes('orders')) await story.click()
      await page.getByRole('link', { name: link }).first().click()
      await answered()
      expect(page.url()).not.toContain('ada')
    }
  })

  it.each(['light', 'dark'] as const)('reads it on any screen, in a %s admin', async (scheme) => {
    await page.emulateMedia({ colorScheme: scheme })
    await open()
    await page.locator(`html[data-theme=${scheme}]`).waitFor()
    for (const size of [smallScreen, phone]) {
      await page.setViewportSize(size)
      await expectToFit(page)
      expect(await axeFindings(about())).toEqual([])
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(smallScreen)
  })

  it.each(Object.keys(translations))('reads it in the language %s', async (language) => {
    const cookie = { name: 'payload-lng', value: language, url: demo.origin }
    await page.context().addCookies([cookie])
    await visit(page, `${demo.origin}/admin/globals/storeconnect?show=person&order=${order.id}`)
    const {
      personFind = '',
      personSuppressed = '',
      suppressedBounced = '',
    } = translations[language] ?? {}
    await page.getByRole('button', { name: personFind }).waitFor()
    const said = personSuppressed
      .replace('{{address}}', email)
      .replace('{{reason}}', suppressedBounced)
    await about().getByText(said).waitFor()
    expect(await about().innerText()).not.toMatch(/storeconnect:|\{\{/)
    await page.setViewportSize(phone)
    await expectToFit(page)
    await page.setViewportSize(smallScreen)
  })

  it('sees what there is to erase, and who is not known', async () => {
    await page.context().addCookies([{ name: 'payload-lng', value: 'en', url: demo.origin }])
    await open()
    const form = section('Erase a person')
    expect(await form.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(email)
    await form.getByRole('button', { name: 'Show what there is' }).press('Enter')
    await form.getByText(/^Orders: 1, payments: 0/).waitFor()
    await about().getByLabel('Email or phone number').fill('neither')
    await page.keyboard.press('Enter')
    await about().getByText('This is neither an email address nor a phone number.').waitFor()
    expect(complaints.filter((each) => !each.includes('400'))).toEqual([])
  })
})
