import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAdmin } from '../support/demo-store.js'
import { visit } from '../support/visit.js'
import { axeFindings } from './axe-findings.js'
import { closeDemo, openDemo, type Demo } from './demo.js'
import { noteComplaints } from './note-complaints.js'
import { expectToFit, phone, smallScreen } from './width.js'

// One visit, step by step.
describe('A merchant with payments that have no order', { shuffle: false }, () => {
  let demo: Demo
  let page: Page
  let complaints: string[]
  let payments: number[]

  const create = async (collection: string, data: Record<string, unknown>): Promise<number> => {
    const answer = await page.request.post(`${demo.origin}/api/${collection}`, { data })
    const { doc } = (await answer.json()) as { doc?: { id: number } }
    if (doc === undefined) throw new Error(`${collection}: ${await answer.text()}`)
    return doc.id
  }

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
    complaints = noteComplaints(page)
    const found = await page.request.get(
      `${demo.origin}/api/products?limit=1&depth=0&where[title][equals]=Linden Honey`,
    )
    const { docs } = (await found.json()) as { docs: { id: number }[] }
    const items = [{ product: docs[0]?.id, quantity: 2 }]
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const address = {
      ...{ firstName: 'Ada', lastName: 'Lovelace', addressLine1: 'Long Lane 1' },
      ...{ city: 'Dublin', postalCode: 'D02 X285', country: 'IE' },
    }
    // An admin's own cart would be that of a customer.
    const aGuestsCart = async () => {
      const answer = await fetch(`${demo.origin}/api/carts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ items, currency: 'EUR' }),
      })
      return ((await answer.json()) as { doc: { id: number } }).doc.id
    }
    const pay = async (name: string, status: string, { hours = 1, cart = true } = {}) =>
      create('transactions', {
        ...(cart && { cart: await aGuestsCart() }),
        ...{ items, amount: 1250, currency: 'EUR', paymentMethod: 'demo', status },
        ...{ customerEmail: `${name}@shop.example` },
        ...{ billingAddress: address, demo: { shippingAddress: address } },
        ...{ createdAt: hoursAgo(hours), updatedAt: hoursAgo(hours) },
      })
    payments = [await pay('ada', 'processing'), await pay('bob', 'processing')]
    await pay('eve', 'succeeded', { hours: 48, cart: false })
  })

  afterAll(closeDemo)

  const section = (name: string) => page.getByRole('region', { name, exact: true })
  const rows = () => section('Payments that need you').locator('tbody tr')
  const open = async (path = '') => {
    await visit(page, `${demo.origin}/admin/globals/storeconnect${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  const orderOf = async (id: number | undefined) => {
    const found = await page.request.get(`${demo.origin}/api/transactions/${id}?depth=0`)
    return ((await found.json()) as { order?: number }).order
  }

  it('sees in the overview who paid for what', async () => {
    await open()
    await expect.poll(() => rows().count()).toBe(2)
    const said = await rows().allInnerTexts()
    expect(said.join()).toMatch(/12\.50 EUR[^]*ada@shop\.example[^]*2 ×/)
    expect(said.join()).not.toContain('eve@')
  })

  it.each(['light', 'dark'] as const)(
    'can read it in a %s admin, on a phone too',
    async (scheme) => {
      await page.emulateMedia({ colorScheme: scheme })
      await page.locator(`html[data-theme=${scheme}]`).waitFor()
      for (const path of ['', '?show=tools']) {
        await open(path)
        for (const size of [phone, smallScreen]) {
          await page.setViewportSize(size)
          await expectToFit(page)
          expect(await axeFindings(page.locator('.storeconnect-overview'))).toEqual([])
        }
      }
      await page.emulateMedia({ colorScheme: 'light' })
    },
  )

  it('finishes the order of one in the overview, with the keyboard', async () => {
    await open()
    const row = rows().filter({ hasText: 'ada@shop.example' })
    await row.getByRole('button', { name: 'Finish this order' }).press('Enter')
    await page.getByText('The order is there.').first().waitFor()
    await expect.poll(() => rows().count()).toBe(1)
    expect(await orderOf(payments[0])).toEqual(expect.any(Number))
  })

  it('leaves no error in the console', () => {
    expect(complaints).toEqual([])
  })

  // Payload's editor of JSON, which is on the page of a payment of the demo store, loads from another host.
  it('finishes that of the other on its own page', async () => {
    await open()
    await rows().getByRole('link').first().press('Enter')
    const finish = page.getByRole('button', { name: 'Finish this order' })
    await finish.press('Enter')
    await page.getByText('The order is there.').first().waitFor()
    await expect.poll(() => orderOf(payments[1])).toEqual(expect.any(Number))
    await open()
    expect(await section('Payments that need you').count()).toBe(0)
  })

  it('sees what was paid and ordered on each day', async () => {
    await open('?show=tools')
    const days = section('Payments and orders').locator('tbody tr')
    const day = days.filter({ has: page.getByRole('cell', { name: '0.00 EUR', exact: true }) })
    const cells = (await day.locator('td').allInnerTexts()).map((text) => text.trim())
    expect(cells.slice(1)).toEqual(['12.50 EUR', '0.00 EUR', '12.50 EUR'])
  })
})
