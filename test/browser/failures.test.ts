import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAdmin } from '../support/demo-store.js'
import { visit } from '../support/visit.js'
import { axeFindings } from './axe-findings.js'
import { closeDemo, openDemo, type Demo } from './demo.js'
import { noteComplaints } from './note-complaints.js'
import { expectToFit, phone, smallScreen } from './width.js'

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
    page.getByRole('heading', { level: 1, name: 'Failed sends by reason', exact: true })
  const counts = async () => {
    await visit(page, `${demo.origin}/admin/collections/marketing-sends/failures`)
    await heading().waitFor()
    return failures().locator('td.cell-failures-count').allInnerTexts()
  }

  it('finds the page of reasons from the list of sends', async () => {
    await expect.poll(counts).toEqual(['2'])
    await visit(page, `${demo.origin}/admin/collections/marketing-sends`)
    await page.getByRole('link', { name: 'Failed sends by reason' }).press('Enter')
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

  it('sees each attempt of an example', async () => {
    await counts()
    await page.getByRole('link', { name: 'An example: invalid' }).press('Enter')
    const attempts = page.getByRole('region', { name: 'Last attempts' })
    await attempts.waitFor()
    expect(await attempts.getByRole('columnheader').allInnerTexts()).toEqual([
      'Moment',
      'What the answer meant',
      'HTTP status',
      'Code',
      'Next attempt',
      'Duration',
      'Request id at Klaviyo',
    ])
    const [row = ''] = await attempts.locator('tbody tr').allInnerTexts()
    const { calls } = demo.klaviyo.standIn.state
    const ids = calls.filter(({ status }) => status === 400).map(({ requestId }) => requestId)
    expect(row).toMatch(/Refused[^]*400[^]*invalid[^]*ms/)
    expect(ids.some((id) => row.includes(id))).toBe(true)
    expect(await axeFindings(attempts)).toEqual([])
    await page.setViewportSize(phone)
    await expectToFit(page)
    await page.setViewportSize(smallScreen)
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
      .getByText(/^2 sends go to Klaviyo again\. The oldest is from .* ago|now\)\.$/)
      .waitFor()
    expect(await axeFindings(warning)).toEqual([])
    await warning.getByRole('button', { name: 'Cancel' }).press('Enter')
    await warning.waitFor({ state: 'detached' })
    expect(await failures().locator('td.cell-failures-count').allInnerTexts()).toEqual(['2'])
    await resend.press('Enter')
    await warning.getByRole('button', { name: 'Resend all' }).press('Enter')
    await page.getByText('2 sends are in the queue again.').first().waitFor()
    await failures().getByText('No sends of this time have failed.').waitFor()
    const arrived = () =>
      demo.klaviyo.standIn.state.events.filter(({ properties }) => properties.Tea === 'Bad tea')
        .length
    await expect.poll(arrived).toBe(2)
  })

  it('leaves no error in the console', () => {
    expect(complaints).toEqual([])
  })
})
