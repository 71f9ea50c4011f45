import { describe, expect, it } from 'vitest'
import { demoOrders } from '../../../dev/seed/demo-orders.ts'

const now = new Date('2026-03-10T12:00:00Z')
const orders = demoOrders(now)
const thirtyDays = 30 * 24 * 60 * 60 * 1000

describe('the orders of a fresh demo store', () => {
  it('lie in the last 30 days, and change after they are made', () => {
    for (const { createdAt, updatedAt } of orders) {
      expect(createdAt.getTime()).toBeGreaterThan(now.getTime() - thirtyDays)
      expect(updatedAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime())
      expect(updatedAt.getTime()).toBeLessThan(now.getTime())
    }
  })

  it('show every status, currency, site and warehouse', () => {
    const shown = (key: 'status' | 'currency' | 'site' | 'warehouse') =>
      [...new Set(orders.map((order) => order[key]))].sort()
    expect(shown('status')).toEqual(['cancelled', 'completed', 'processing', 'refunded', 'shipped'])
    expect(shown('currency')).toEqual(['EUR', 'JPY', 'KWD', 'USD'])
    expect(shown('site')).toEqual(['america', 'europe', 'wholesale'])
    expect(shown('warehouse')).toEqual(['berlin', 'osaka', 'portland'])
  })

  it('hold gifts, discounts, notes and lines with options', () => {
    expect(orders.some(({ giftMessage }) => giftMessage)).toBe(true)
    expect(orders.some(({ discountAmount }) => discountAmount > 0)).toBe(true)
    expect(orders.some(({ customerNotes }) => customerNotes)).toBe(true)
    expect(orders.some(({ internalNotes }) => internalNotes)).toBe(true)
    expect(orders.some(({ lines }) => lines.some(({ options }) => options.length > 1))).toBe(true)
  })

  it('carry tracking exactly when they are shipped', () => {
    for (const { status, tracking } of orders)
      expect(tracking !== undefined).toBe(status === 'shipped')
  })

  it('give the account of the demo one that waits and one with tracking', () => {
    const ofZofia = orders.filter(({ email }) => email === 'zofia@example.com')
    expect(ofZofia.some(({ status }) => status === 'processing')).toBe(true)
    expect(ofZofia.some(({ tracking }) => tracking?.carrier === 'DHL')).toBe(true)
  })

  it('include four that cannot be shipped as they are', () => {
    const faults = orders.flatMap(({ email, lines, shippingAddress }) => [
      ...(email ? [] : ['no buyer']),
      ...(lines.length > 0 ? [] : ['no items']),
      ...(/^[A-Z]{2}$/.test(shippingAddress.country ?? '') ? [] : [shippingAddress.country]),
    ])
    expect(faults).toEqual(['', 'no buyer', 'Germany', 'no items'])
  })

  it('add up', () => {
    for (const order of orders.filter(({ lines }) => lines.length > 0)) {
      const subtotal = order.lines.reduce((sum, line) => sum + line.quantity * line.unitPrice, 0)
      const { amount, discountAmount, shippingAmount, taxAmount } = order
      expect(amount).toBe(subtotal - discountAmount + taxAmount + shippingAmount)
    }
  })
})
