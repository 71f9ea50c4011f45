import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAdmin } from '../support/demo-store.js'
import { visit } from '../support/visit.js'
import { openDemo, type Demo } from './demo.js'
import { save } from './save.js'
import { unfold } from './unfold.js'

// One visit, step by step.
describe('A merchant with the alert settings', { shuffle: false }, () => {
  let demo: Demo
  let page: Page

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
    await visit(page, `${demo.origin}/admin/globals/alert-settings`)
  })

  const test = async () => {
    await page.getByRole('button', { name: 'Send a test message' }).click()
    const report = page.locator('[role=status] .banner')
    await report.waitFor()
    return report.innerText()
  }

  it('reads that nobody is told yet', async () => {
    await page.getByText('Nobody is told. Enter an email').waitFor()
    await unfold(page)
    await page.locator('#field-paidStatuses').getByText('Processing', { exact: true }).waitFor()
    expect(await test()).toContain('Nobody is told yet')
  })

  it('names who is told, and has a test message sent', async () => {
    const recipients = page.locator('.has-many', { hasText: 'Emails' }).locator('input').first()
    await recipients.fill('merchant@example.com')
    await recipients.press('Enter')
    await page.getByRole('button', { name: 'Use my email: admin@example.com' }).press('Enter')
    await page.getByRole('button', { name: 'Use my email' }).waitFor({ state: 'detached' })
    await save(page)
    const stored = await page.request.get(`${demo.origin}/api/globals/alert-settings`)
    expect(await stored.json()).toMatchObject({
      recipients: ['merchant@example.com', 'admin@example.com'],
    })
    expect(await test()).toContain('Email: sent.')
  })

  it('sets a token, which is not shown again, and finds the health URL', async () => {
    await unfold(page)
    await page.fill('#field-healthToken', 'a long random text')
    await save(page)
    await page.reload()
    expect(await page.inputValue('#field-healthToken')).toBe('••••••••')
    await page.getByText(`${demo.origin}/actions/storeconnect/health`).waitFor()
  })
})
