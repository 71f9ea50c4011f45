import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAdmin } from '../support/demo-store.js'
import { paleTexts } from './contrast.js'
import { longSetUp, openDemo, type Demo } from './demo.js'
import { noteComplaints } from './note-complaints.js'

// One visit, step by step.
describe('An admin who erases a person', { shuffle: false }, () => {
  const email = 'to-erase@example.com'
  let demo: Demo
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
    complaints = noteComplaints(page)
    const account = {
      email,
      password: 'correct horse battery',
      firstName: 'Tess',
      roles: ['customer'],
    }
    const made = await page.request.post(`${demo.origin}/api/users`, { data: account })
    expect(made.ok()).toBe(true)
  }, longSetUp)

  afterAll(() => demo?.close())

  const form = () => page.getByRole('region', { name: 'Erase a person' })
  const accounts = async () => {
    const query = `where[email][equals]=${encodeURIComponent(email)}`
    const answer = await page.request.get(`${demo.origin}/api/users?${query}`)
    return ((await answer.json()) as { totalDocs: number }).totalDocs
  }

  it('first reads what there is, by the keyboard alone', async () => {
    await page.goto(`${demo.origin}/admin/collections/marketing-erasures`)
    await form().getByRole('textbox', { name: 'Email' }).fill(email)
    await page.keyboard.press('Enter')
    await form().getByText('A customer account, which is deleted').waitFor()
    expect(await form().getByRole('radio').count()).toBe(2)
    expect(await accounts()).toBe(1)
    expect(await paleTexts(form())).toEqual([])
  })

  it('loses that when the email changes', async () => {
    await form().getByRole('textbox', { name: 'Email' }).fill('another@example.com')
    expect(await form().getByRole('radio').count()).toBe(0)
  })

  it('erases after a choice and a press, and sees the record', async () => {
    await form().getByRole('textbox', { name: 'Email' }).fill(email)
    await page.keyboard.press('Enter')
    await form().getByLabel('Anonymise orders').check()
    await form().getByRole('button', { name: 'Erase this person' }).click()
    await form().getByText('The person is erased in the shop').waitFor()
    await page.getByRole('table').getByText('An admin asked for it').waitFor()
    expect(await accounts()).toBe(0)
  })

  it('cannot erase an admin, and reads why', async () => {
    const { user } = (await (await page.request.get(`${demo.origin}/api/users/me`)).json()) as {
      user: { email: string }
    }
    await form().getByRole('textbox', { name: 'Email' }).fill(user.email)
    await page.keyboard.press('Enter')
    await form().getByRole('button', { name: 'Erase this person' }).click()
    await form().getByText('This is the account of an admin').waitFor()
    // The browser itself notes that the shop has refused.
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
  })
})
