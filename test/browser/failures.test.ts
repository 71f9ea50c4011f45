import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAdmin } from '../support/demo-store.js'
import { visit } from '../support/visit.js'
import { axeFindings } from './axe-findings.js'
import { closeDemo, openDemo, type Demo } from './demo.js'
import { noteComplaints } from './note-complaints.js'
import { expectToFit, expectWhollyInView, phone, smallScreen } from './width.js'

// One visit, step by step.
describe('A merchant whose sends have failed', { shuffle: false }, () => {
  let demo: Demo
  let page: Page
  let complaints: string[]
  let fault: { remove: () => void }

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
    complaints = noteComplaints(page)
    fault = demo.klaviyo.standIn.faults.add({ kind: 'poison', marker: 'Bad tea', says: 'item' })
    for (const name of ['ada', 'bob']) {
      const email = `${name}@example.com`
      await demo.track(page, { email, 'event[name]': 'Liked', 'event[Tea]': 'Bad tea' })
    }
  })

  afterAll(closeDemo)

  const failures = () => page.locator('.storeconnect-overview')
  const heading = () =>
    page.getByRole('heading', { level: 1, name: 'Failed messages by reason', exact: true })
  const counts = async () => {
    await visit(page, `${demo.origin}/admin/collections/marketing-sends/failures`)
    await heading().waitFor()
    return failures().locator('td.cell-failures-count').allInnerTexts()
  }

  it('finds the page of reasons from the list of sends', async () => {
    await expect.poll(counts).toEqual(['2'])
    await visit(page, `${demo.origin}/admin/collections/marketing-sends`)
    await page.getByRole('link', { name: 'Failed messages by reason' }).press('Enter')
    await heading().waitFor()
    await failures().getByText('The payload provided in the request is invalid.').waitFor()
    await failures().getByText('invalid', { exact: true }).waitFor()
  })

  it.each(['light', 'dark'] as const)('can read it with a phone, in a %s admin', async (scheme) => {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize(phone)
    await counts()
    await page.locator(`html[data-theme=${scheme}]`).waitFor()
    await expectToFit(page)
    expect(await axeFindings(failures())).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(smallScreen)
  })

  const section = (name: string) => page.getByRole('region', { name, exact: true })
  const topOf = async (name: string) => (await section(name).boundingBox())?.y

  it('sees of an example what became of it, and its message beside each answer', async () => {
    await counts()
    await page.getByRole('link', { name: 'An example: invalid' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Liked', exact: true }).waitFor()
    const [said = ''] = await failures().locator('.banner').allInnerTexts()
    expect(said.trim()).toBe('Failed: The payload provided in the request is invalid.')
    const [attempt = ''] = await section('Last attempts').getByRole('listitem').allInnerTexts()
    const { calls } = demo.klaviyo.standIn.state
    const ids = calls.filter(({ status }) => status === 400).map(({ requestId }) => requestId)
    expect(attempt).toMatch(/Refused[^]*400[^]*invalid[^]*ms/)
    expect(ids.some((id) => attempt.includes(id))).toBe(true)
    await section('Message').getByText('"Bad tea"').waitFor()
    // Nothing is said twice, and nothing looks as if it could be changed.
    const words = (await failures().innerText()).match(/\binvalid\b/g)
    expect(words).toHaveLength(2)
    expect(await page.locator('.storeconnect-overview :is(input, textarea)').count()).toBe(0)
  })

  it.each(['light', 'dark'] as const)('can read that too, in a %s admin', async (scheme) => {
    await page.emulateMedia({ colorScheme: scheme })
    await page.locator(`html[data-theme=${scheme}]`).waitFor()
    expect(await axeFindings(failures())).toEqual([])
    expect(await topOf('Message')).toBe(await topOf('Last attempts'))
    await expectToFit(page)
    await page.setViewportSize(phone)
    await expect
      .poll(async () => Number(await topOf('Last attempts')) > Number(await topOf('Message')))
      .toBe(true)
    await expectToFit(page)
    await expectWhollyInView(page.getByRole('button', { name: 'Resend' }))
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(smallScreen)
  })

  it('sees why a send waits, in the list and on its page', async () => {
    const refused = demo.klaviyo.standIn.faults.add({ kind: 'wrong-key' })
    const email = 'eva@example.com'
    await demo.track(page, { email, 'event[name]': 'Liked' })
    const row = page.locator('tbody tr', { hasText: email })
    await expect
      .poll(async () => {
        await visit(page, `${demo.origin}/admin/collections/marketing-sends`)
        return row.locator('.cell-error__detail').first().innerText()
      })
      .toBe('Klaviyo refuses the API key.')
    await row.getByRole('link').first().press('Enter')
    await page.getByText('Queued: Klaviyo refuses the API key.').waitFor()
    refused.remove()
    // The page renews itself.
    await page.getByText(/^Sent/).waitFor()
  })

  it('resends those of a reason since a moment, with the keyboard alone', async () => {
    await counts()
    await page.getByRole('link', { name: 'In the last hour' }).press('Enter')
    await page.waitForURL(/since=hour$/)
    await page.locator('a[aria-current=page]').getByText('In the last hour').waitFor()
    fault.remove()
    const resend = page.getByRole('button', { name: 'Resend all: invalid' })
    const warning = page.getByRole('dialog')
    await resend.press('Enter')
    await warning
      .getByText(/^2 messages go to Klaviyo again\. The oldest is from .* ago|now\)\.$/)
      .waitFor()
    expect(await axeFindings(warning)).toEqual([])
    await warning.getByRole('button', { name: 'Cancel' }).press('Enter')
    await warning.waitFor({ state: 'detached' })
    expect(await failures().locator('td.cell-failures-count').allInnerTexts()).toEqual(['2'])
    await resend.press('Enter')
    await warning.getByRole('button', { name: 'Resend all' }).press('Enter')
    await page.getByText('2 messages are in the queue again.').first().waitFor()
    await failures().getByText('No messages of this time have failed.').waitFor()
    const arrived = () =>
      demo.klaviyo.standIn.state.events.filter(({ properties }) => properties.Tea === 'Bad tea')
        .length
    await expect.poll(arrived).toBe(2)
  })

  it('leaves no error in the console', () => {
    expect(complaints).toEqual([])
  })
})
