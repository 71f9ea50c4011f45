import { beforeAll, describe, expect, it } from 'vitest'
import { axeFindings } from './axe-findings.js'
import { openDemo, type Demo } from './demo.js'
import { noteComplaints } from './note-complaints.js'
import { expectToFit, phone, smallScreen } from './width.js'

describe('A product of the demo store that is sold out', () => {
  let demo: Demo

  beforeAll(async () => {
    demo = await openDemo()
  })

  const path = () => `${demo.origin}/products/lidded-cup`

  it.each([phone, smallScreen])('is shown on $width pixels', async (viewport) => {
    const page = await demo.newVisitor({ viewport })
    await page.goto(path())
    await expectToFit(page)
    expect(await axeFindings(page.locator('main'))).toEqual([])
  })

  it.each([
    ['on a phone, without JavaScript', { viewport: phone, javaScriptEnabled: false }],
    ['on a desk', { viewport: smallScreen }],
  ])('takes the address of who waits for it, %s', async (_, options) => {
    const page = await demo.newVisitor(options)
    const complaints = noteComplaints(page)
    const email = `waits-${crypto.randomUUID()}@shop.example`
    await page.goto(path())
    const form = page.getByRole('form', { name: 'Wait for Lidded Cup' })
    expect(await page.getByRole('button', { name: 'to the cart' }).count()).toBe(0)
    await form.getByLabel('Email').fill(email)
    await form.getByLabel('Email').press('Enter')
    await page.getByText('We write as soon as it is back.').waitFor()
    const { state } = demo.klaviyo.standIn
    const waiting = () =>
      state.waiting.filter(({ profile }) => state.profiles.get(profile)?.attributes.email === email)
    await expect
      .poll(waiting, { timeout: 60_000 })
      .toMatchObject([{ channels: new Set(['EMAIL']), toldAt: undefined }])
    expect(complaints).toEqual([])
  })
})
