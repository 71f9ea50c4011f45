import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDemo, type Demo } from './demo.js'
import { shopperOn } from './shopper.js'

describe('A customer of the store', () => {
  let demo: Demo

  beforeAll(async () => {
    demo = await openDemo()
  })

  async function logIn(name: 'zofia' | 'daniel'): Promise<Page> {
    const page = await demo.newVisitor()
    await page.goto(`${demo.origin}/login`)
    await shopperOn(page, demo.origin).logInAs(name)
    await page.getByText('You are logged in.').waitFor()
    return page
  }

  it('sees the orders of the account, and where they are', async () => {
    const page = await logIn('zofia')
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('Being packed').first().waitFor()
    const shipped = page.locator('.orders > li').filter({ hasText: 'On its way' }).first()
    expect(await shipped.locator('.tracking').innerText()).toMatch(/^DHL Paket · \d+$/)
    expect(await shipped.locator('.tracking a').getAttribute('href')).toContain('dhl.com')
  })

  it('buys as who is logged in, and finds the order in the account, as nobody else does', async () => {
    const page = await logIn('daniel')
    const shopper = shopperOn(page, demo.origin)
    await shopper.putIntoCart('Bamboo Whisk')
    await page.goto(`${demo.origin}/checkout`)
    await page.getByText('You buy as daniel@example.com.').waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Daniel')
    await page.getByLabel('Street and number').fill('2140 SE Hawthorne Blvd')
    await page.getByLabel('Postal code').fill('97214')
    await page.getByLabel('City').fill('Portland')
    await page.getByLabel('Country').selectOption('US')
    await page.getByRole('button', { name: 'Buy now' }).click()
    await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
    const reference = await page.locator('.reference').innerText()
    const stranger = await demo.newVisitor()
    expect((await stranger.goto(page.url()))?.status()).toBe(404)
    await page.getByRole('link', { name: 'Your orders' }).click()
    await page.getByRole('link', { name: reference }).waitFor()
  })

  it('gets letters, leaves them, and comes back, as often as asked for', async () => {
    const page = await logIn('zofia')
    const consent = () =>
      demo.klaviyo.standIn.state.profileByEmail('zofia@example.com')?.consent.email?.status
    const press = async (name: string) => {
      await page.goto(`${demo.origin}/account`)
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByText('Thank you. This page shows it within half an hour.').waitFor()
    }
    await press('Send me letters')
    await expect.poll(consent).toBe('SUBSCRIBED')
    await press('Send me no more letters')
    await expect.poll(consent).toBe('UNSUBSCRIBED')
    await press('Send me letters')
    await expect.poll(consent).toBe('SUBSCRIBED')
  })
})
