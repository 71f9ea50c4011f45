import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAdmin } from '../support/demo-store.js'
import { visit } from '../support/visit.js'
import { axeFindings } from './axe-findings.js'
import { closeDemo, openDemo, type Demo } from './demo.js'
import { noteComplaints } from './note-complaints.js'
import { save } from './save.js'

// One visit, step by step.
describe('A merchant who picks lists', { shuffle: false }, () => {
  let demo: Demo
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
    complaints = noteComplaints(page)
  })

  afterAll(closeDemo)

  const oneList = () => page.locator('#field-list')
  const manyLists = () => page.locator('#field-newsLists')
  const note = (field: Locator) => field.locator('[aria-live=polite].storeconnect-note')

  const openNewsletter = async () => {
    await visit(page, `${demo.origin}/admin/globals/newsletter`)
    await oneList().getByRole('combobox', { name: 'List for the newsletter' }).waitFor()
  }
  const openProduct = async () => {
    await visit(page, `${demo.origin}/admin/collections/products/1`)
    await manyLists().getByRole('combobox', { name: 'Lists for news' }).waitFor()
  }
  const read = async (path: string) =>
    (await (await page.request.get(`${demo.origin}/api/${path}`)).json()) as Record<string, unknown>
  const change = async (path: string, data: Record<string, unknown>) => {
    const method = path.startsWith('globals/') ? 'post' : 'patch'
    const answer = await page.request[method](`${demo.origin}/api/${path}`, { data })
    expect(answer.ok()).toBe(true)
  }

  it('reads why there are no names when Klaviyo cannot be asked, and keeps what is stored', async () => {
    const fault = demo.klaviyo.standIn.faults.add({ kind: 'error', status: 503, calls: ['lists'] })
    await openNewsletter()
    await note(oneList()).getByText('could not be read from Klaviyo').waitFor()
    await oneList().getByText('NEWSLTR', { exact: true }).waitFor()
    await oneList().getByRole('combobox').press('ArrowDown')
    await oneList().getByText('No options').waitFor()
    fault.remove()
  })

  it('picks one by its name with the keyboard alone', async () => {
    const names = async () => {
      await openNewsletter()
      return oneList().innerText()
    }
    // The shop waits a moment before it asks Klaviyo again.
    await expect.poll(names, { timeout: 60_000, interval: 1000 }).toContain('Newsletter\n')

    await page.locator('#field-list input').focus()
    await page.keyboard.type('wel')
    const menu = oneList().getByRole('option')
    await menu.first().waitFor()
    expect(await menu.allInnerTexts()).toEqual(['Welcome series'])
    await page.keyboard.press('Enter')
    await save(page, () => page.keyboard.press('Control+s'))

    await page.reload()
    await oneList().getByText('Welcome series').waitFor()
    expect(await read('globals/newsletter')).toMatchObject({ list: 'WELCOME' })
  })

  it('picks several, takes one out again, and finds them after a reload', async () => {
    await openProduct()
    await manyLists().getByRole('combobox').focus()
    for (const [part, name] of [
      ['vip', 'VIP'],
      ['wel', 'Welcome series'],
      ['news', 'Newsletter'],
    ] as const) {
      await page.keyboard.type(part)
      await expect.poll(() => manyLists().getByRole('option').allInnerTexts()).toEqual([name])
      await page.keyboard.press('Enter')
    }
    await page.keyboard.press('Backspace')
    await save(page, () => page.getByRole('button', { name: 'Publish changes' }).press('Enter'))

    await page.reload()
    await manyLists().getByText('Welcome series').waitFor()
    await manyLists().getByText('VIP').waitFor()
    expect(await read('products/1?depth=0')).toMatchObject({ newsLists: ['VIPLIST', 'WELCOME'] })
  })

  it('sees a notice of a list that is gone at Klaviyo, which stays picked', async () => {
    await change('globals/newsletter', { list: 'GONE123' })
    await openNewsletter()
    await oneList().getByText('GONE123 (Klaviyo no longer has this list)').waitFor()
  })

  it('sees how old the lists are when Klaviyo does not answer', async () => {
    // What the shop answers then has tests of its own; here it would take minutes to get old.
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
    const lists = [{ id: 'GONE123', name: 'Tea letters' }]
    const answer = {
      is: 'known',
      readAt: anHourAgo,
      lists,
      isComplete: true,
      problem: 'No answer.',
    }
    await page.route('**/api/storeconnect/lists', (route) => route.fulfill({ json: answer }))
    await openNewsletter()
    await oneList().getByText('Tea letters').waitFor()
    await note(oneList()).getByText('about 1 hour old').waitFor()
    await note(oneList()).getByText('No answer.').waitFor()
    await page.unroute('**/api/storeconnect/lists')
  })

  it('sees what to do while there is no key', async () => {
    await change('globals/marketing-settings', { privateApiKey: '$NO_SUCH_KEY' })
    await openNewsletter()
    await note(oneList()).getByText('There is no Klaviyo API key yet').waitFor()
    await oneList().getByText('GONE123', { exact: true }).waitFor()
    const advice = note(oneList()).getByRole('link', { name: 'Open the marketing settings' })
    await advice.press('Enter')
    await page.waitForURL(/\/globals\/marketing-settings$/)
    await page.getByText('Environment variables that are not set: NO_SUCH_KEY').waitFor()
  })

  it.each(['light', 'dark'] as const)(
    'can read these notices in a %s admin',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      await openNewsletter()
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
      await note(oneList()).getByText('There is no Klaviyo API key yet').waitFor()
      expect(await axeFindings(note(oneList()))).toEqual([])
    },
  )

  it('leaves no error in the console', () => {
    expect(complaints).toEqual([])
  })
})
