import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAdmin } from '../support/demo-store.js'
import { visit } from '../support/visit.js'
import { openDemo, type Demo } from './demo.js'
import { axeFindings } from './axe-findings.js'
import { expectToFit, expectWhollyInView, phone, smallScreen, untilLaidOut } from './width.js'

// One visit, step by step.
describe('A merchant with the marketing pages', { shuffle: false }, () => {
  let demo: Demo
  let page: Page

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
  })

  const testConnection = async () => {
    await visit(page, `${demo.origin}/admin/globals/marketing-settings`)
    await page.getByRole('button', { name: 'Test the connection' }).click()
    const report = page.locator('[role=status] .banner').first()
    await report.waitFor()
    return report.innerText()
  }

  const listed = async (query: string) => {
    await visit(page, `${demo.origin}/admin/collections/marketing-sends?${query}`)
    await page.getByRole('heading', { name: 'Messages to Klaviyo' }).waitFor()
    return page.locator('tbody tr').allInnerTexts()
  }
  const onlyFailed = 'where[or][0][and][0][state][equals]=failed'

  it('tests the key that is typed, before it is saved', async () => {
    await visit(page, `${demo.origin}/admin/globals/marketing-settings`)
    await page.fill('#field-privateApiKey', 'pk_typed_and_wrong')
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await page.getByText('did not accept').waitFor()
    // As often as Klaviyo answers.
    await expect.poll(testConnection).toContain('Kettle & Quill')
  })

  it('reads what does not work with a key that lacks scopes, and which they are', async () => {
    const calls = ['list-members', 'create-items', 'metrics'] as const
    const fault = demo.klaviyo.standIn.faults.add({ kind: 'forbidden', calls: [...calls] })
    await expect
      .poll(testConnection)
      .toContain('the key lacks these scopes: lists:write, catalogs:write.')
    const report = page.locator('[role=status]', { hasText: 'Kettle & Quill' })
    await report.getByText('Nobody is added to lists in Klaviyo: lists:write').waitFor()
    await report.getByText('The catalog does not go to Klaviyo: catalogs:write').waitFor()
    await report.getByText(/^What is not used now would need .*: metrics:read\.$/).waitFor()
    for (const size of [phone, smallScreen]) {
      await page.setViewportSize(size)
      await expectToFit(page)
    }
    expect(await axeFindings(report)).toEqual([])

    fault.remove()
    await expect.poll(testConnection).toContain('The key has every scope that is needed.')
    expect(await page.locator('[role=status]').getByText('Nobody is added').count()).toBe(0)
  })

  it('finds what failed and why, and resends it', async () => {
    const fault = demo.klaviyo.standIn.faults.add({
      kind: 'poison',
      marker: 'Bad tea',
      says: 'item',
    })
    await demo.track(page, {
      email: 'ada@example.com',
      'event[name]': 'Liked',
      'event[Tea]': 'Bad tea',
    })
    await demo.track(page, {
      email: 'bob@example.com',
      'event[name]': 'Liked',
      'event[Tea]': 'Good tea',
    })
    await expect.poll(() => listed(onlyFailed)).toHaveLength(1)
    expect((await listed(onlyFailed))[0]).toContain('ada@example.com')
    await expect
      .poll(async () => (await listed('limit=100')).some((row) => /bob@[^]*Sent/.test(row)))
      .toBe(true)

    await page.setViewportSize(smallScreen)
    await listed(onlyFailed)
    for (const shown of ['.cell-acceptedAt', '.cell-error__detail']) {
      const cell = page.locator(`tbody tr ${shown}`).first()
      expect((await cell.innerText()).trim()).not.toBe('')
      await expectWhollyInView(cell)
    }
    await page.locator('tbody tr a').first().click()
    await page.getByRole('button', { name: 'Resend' }).waitFor()
    expect(await page.locator('h1').innerText()).toBe('Liked')
    await page.getByText('ada@example.com').first().waitFor()
    await page.getByText('"Bad tea"').waitFor()

    fault.remove()
    await page.getByRole('button', { name: 'Resend' }).click()
    await page.getByText('The message is in the queue again.').first().waitFor()
    await expect.poll(() => listed(onlyFailed)).toEqual([])
    const arrived = () =>
      demo.klaviyo.standIn.state.events.filter(({ properties }) => properties.Tea === 'Bad tea')
        .length
    await expect.poll(arrived).toBe(1)
  })

  it('dismisses what is not to be sent', async () => {
    const fault = demo.klaviyo.standIn.faults.add({
      kind: 'poison',
      marker: 'Old tea',
      says: 'item',
    })
    await demo.track(page, {
      email: 'cem@example.com',
      'event[name]': 'Liked',
      'event[Tea]': 'Old tea',
    })
    await expect.poll(() => listed(onlyFailed)).toHaveLength(1)
    await page.locator('tbody tr a').first().click()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.waitForURL(/\/collections\/marketing-sends(\?|$)/)
    expect(await listed(onlyFailed)).toEqual([])
    fault.remove()
  })

  it('reads each list without scrolling on a small screen', async () => {
    await page.setViewportSize(smallScreen)
    const lists = [
      'marketing-sends',
      'marketing-histories',
      'marketing-erasures',
      'shipping-pulls',
      'shipping-notices',
      'shipping-skipped-orders',
      'storeconnect-alerts',
    ]
    for (const list of lists) {
      await visit(page, `${demo.origin}/admin/collections/${list}`)
      await untilLaidOut(page)
      const tooWide = () =>
        page
          .locator('.table')
          .evaluateAll((tables) => tables.filter((table) => table.scrollWidth > table.clientWidth))
      await expect.poll(async () => [list, (await tooWide()).length]).toEqual([list, 0])
    }
  })

  it.each(['light', 'dark'] as const)(
    'sees the person and the state of a message first on a %s phone',
    async (colorScheme) => {
      await page.setViewportSize(phone)
      await page.emulateMedia({ colorScheme })
      await visit(page, `${demo.origin}/admin/collections/marketing-sends`)
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
      const chip = page.locator('.cell-state .pill').first()
      await expectWhollyInView(chip)
      const person = page.locator('td.cell-profile').first()
      await expectWhollyInView(person.getByRole('link'))
      const [first, second] = [await person.boundingBox(), await chip.boundingBox()]
      expect(first?.x).toBeLessThan(Number(second?.x))
      for (const part of [person, chip]) expect(await axeFindings(part)).toEqual([])
      await page.setViewportSize(smallScreen)
    },
  )
})
