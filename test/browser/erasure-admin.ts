import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { allTranslations } from '../../src/core/translations/translations.js'
import { openAdmin } from '../support/demo-store.js'
import { visit } from '../support/visit.js'
import { axeFindings } from './axe-findings.js'
import { openDemo, type Demo } from './demo.js'
import { noteComplaints } from './note-complaints.js'

const translations = await allTranslations()

// One visit, step by step.
describe('An admin who erases a person', { shuffle: false }, () => {
  const email = 'to-erase@example.com'
  let demo: Demo
  let page: Page
  let complaints: string[]
  let accountId: number

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
    accountId = ((await made.json()) as { doc: { id: number } }).doc.id
    const address = { customer: accountId, firstName: 'Tess', country: 'GB' }
    expect((await page.request.post(`${demo.origin}/api/addresses`, { data: address })).ok()).toBe(
      true,
    )
  })

  const openAccount = async (language: string) => {
    const cookie = { name: 'payload-lng', value: language, url: demo.origin }
    await page.context().addCookies([cookie])
    await visit(page, `${demo.origin}/admin/collections/users/${accountId}`)
    await page.locator('#field-firstName').waitFor()
  }
  const openList = () => visit(page, `${demo.origin}/admin/collections/users`)
  const listWarning = () =>
    page.locator('.banner').getByText(translations.en?.erasureOfAccounts ?? '')
  const warning = (language: string) =>
    page.locator('.banner').filter({ hasText: translations[language]?.erasureOfAccount ?? '' })

  it('reads nothing of it on an account while deletions erase nobody', async () => {
    await openAccount('en')
    expect(await warning('en').count()).toBe(0)
    expect(await page.locator('.banner').count()).toBe(0)
    await openList()
    await page.getByRole('table').waitFor()
    expect(await page.locator('.banner').count()).toBe(0)
  })

  it('reads on an account what its deletion erases once deletions do, in the own language', async () => {
    const settings = `${demo.origin}/api/globals/marketing-settings`
    const chosen = await page.request.post(settings, { data: { accountDeletions: true } })
    expect(chosen.ok()).toBe(true)
    await openAccount('de')
    await warning('de').getByText('Adressen: 1').waitFor()
    await openAccount('en')
    await warning('en').getByText('addresses: 1').waitFor()
    await warning('en').getByText('This cannot be undone, here or at Klaviyo.').waitFor()
    expect(await axeFindings(warning('en'))).toEqual([])
    await openList()
    await listWarning().waitFor()
    expect(await axeFindings(page.locator('.banner'))).toEqual([])
    expect(await accounts()).toBe(1)
  })

  const form = () => page.getByRole('region', { name: 'Erase a person' })
  const accounts = async () => {
    const query = `where[email][equals]=${encodeURIComponent(email)}`
    const answer = await page.request.get(`${demo.origin}/api/users?${query}`)
    return ((await answer.json()) as { totalDocs: number }).totalDocs
  }

  it('first reads what there is, by the keyboard alone', async () => {
    await visit(page, `${demo.origin}/admin/collections/marketing-erasures`)
    await form().getByRole('textbox', { name: 'Email' }).fill(email)
    await page.keyboard.press('Enter')
    await form().getByText('A customer account, which is deleted').waitFor()
    expect(await form().getByRole('radio').count()).toBe(2)
    expect(await accounts()).toBe(1)
    expect(await axeFindings(form())).toEqual([])
  })

  it('loses that when the email changes', async () => {
    await form().getByRole('textbox', { name: 'Email' }).fill('another@example.com')
    expect(await form().getByRole('radio').count()).toBe(0)
  })

  it('erases after a choice and a press, and sees the record', async () => {
    await form().getByRole('textbox', { name: 'Email' }).fill(email)
    await page.keyboard.press('Enter')
    await form().getByLabel('every text that somebody may have typed').check()
    await form().getByText('discount code, shipping method').waitFor()
    await form().getByRole('button', { name: 'Erase this person' }).click()
    await form().getByText('The person is erased in the shop').waitFor()
    await page.getByRole('table').getByText('An admin asked for it').waitFor()
    expect(await accounts()).toBe(0)
    expect(complaints).toEqual([])
  })
})
