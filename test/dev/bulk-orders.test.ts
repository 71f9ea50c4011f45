import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seedOrders } from '../../dev/seed/bulk-orders.ts'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'

interface SeededOrder {
  reference: string
  number: string
  customerEmail: string
  shippingAddress: { country: string }
  billingAddress: { city: string }
  amount: number
  items: { name: string; sku: string; options: unknown[] }[]
  tracking: unknown[]
  updatedAt: string
}

describe.each(databaseKinds)('many orders on %s', (kind) => {
  let store: TestStore
  beforeEach(async () => {
    store = await openStore(kind)
  })
  afterEach(() => store.close())

  const orders = async () => {
    const { docs } = await store.payload.find({
      collection: 'orders',
      depth: 0,
      pagination: false,
      sort: 'id',
    })
    return docs as unknown as SeededOrder[]
  }

  it('are whole documents that the store can read', async () => {
    await seedOrders({ payload: store.payload, count: 40 })
    const found = await orders()
    expect(found).toHaveLength(40)
    for (const order of found) {
      expect(order.number).toMatch(/^[0-9a-f]{32}$/)
      expect(order.customerEmail).toContain('@')
      expect(order.shippingAddress.country).toMatch(/^[A-Z]{2}$/)
      expect(order.billingAddress.city).not.toBe('')
      expect(order.amount).toBeGreaterThan(0)
      expect(order.items.length).toBeGreaterThan(0)
    }
    const lines = found.flatMap(({ items }) => items)
    expect(lines.every(({ name, sku }) => name && sku)).toBe(true)
    expect(lines.some(({ options }) => options.length > 0)).toBe(true)
    expect(found.some(({ tracking }) => tracking.length === 1)).toBe(true)
  })

  it('come on top of those that are there, and leave room for more', async () => {
    await seedOrders({ payload: store.payload, count: 7, batchSize: 3 })
    await seedOrders({ payload: store.payload, count: 5 })
    await store.payload.create({ collection: 'orders', data: { customerEmail: 'a@example.com' } })
    const found = await orders()
    expect(found).toHaveLength(13)
    expect(new Set(found.map(({ reference }) => reference)).size).toBe(13)
  })

  it('lie in the time that is asked for and share times of change as asked', async () => {
    const spread = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-02-01T00:00:00Z') }
    await seedOrders({ payload: store.payload, count: 30, spread, ties: 3 })
    const times = (await orders()).map(({ updatedAt }) => new Date(updatedAt).getTime())
    expect(Math.min(...times)).toBeGreaterThanOrEqual(spread.from.getTime())
    expect(Math.max(...times)).toBeLessThanOrEqual(spread.to.getTime())
    expect(new Set(times).size).toBe(10)
  })

  it('say how far they are', async () => {
    const progress: number[] = []
    const onProgress = (inserted: number) => progress.push(inserted)
    await seedOrders({ payload: store.payload, batchSize: 4, count: 10, onProgress })
    expect(progress).toEqual([4, 8, 10])
  })
})
