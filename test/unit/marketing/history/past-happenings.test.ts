import { describe, expect, it } from 'vitest'
import { pastHappenings } from '../../../../src/marketing/history/past-orders.js'
import type { OrderRecord } from '../../../../src/marketing/feeds/order-records.js'
import { anOrder, aParcel } from '../feeds/events.js'

const now = new Date('2026-11-02T10:00:00Z')
const longAgo = '2026-05-01T10:00:00.000Z'
const justNow = '2026-11-02T09:00:00.000Z'
const words = { shippedStatus: 'shipped', labelOf: (status: string) => status }

const past = (status: string, more: Partial<OrderRecord> = {}): OrderRecord => ({
  order: { ...anOrder(), status },
  changes: [],
  parcels: [],
  tracking: undefined,
  consent: {},
  consentEmail: '',
  ...more,
})

const found = (order: OrderRecord) => pastHappenings(order, words, now)

describe('What the history sends about an order', () => {
  it('without a history of its own: that it was placed when it was made', () => {
    expect(found(past('processing'))).toEqual([{ kind: 'placed', at: anOrder().createdAt }])
  })

  it.each(['cancelled', 'canceled', 'refunded', 'shipped'])(
    'that is %s now: that as well, when it changed last',
    (status) => {
      expect(found(past(status))).toMatchObject([
        { kind: 'placed' },
        { kind: 'status', status, count: 1, at: anOrder().updatedAt },
      ])
    },
  )

  it('that entered its status again: the last time, counted as it was sent then', () => {
    const at = '2026-06-01T10:00:00.000Z'
    const changes = [
      { status: 'processing', at: longAgo, count: 1, placed: true as const },
      { status: 'cancelled', at: longAgo, count: 1 },
      { status: 'cancelled', at, count: 2 },
    ]
    expect(found(past('cancelled', { changes }))).toMatchObject([
      { kind: 'placed', at: new Date(longAgo) },
      { kind: 'status', count: 2, at: new Date(at) },
    ])
  })

  it('nothing that happened within the last day, which the shop sends by itself', () => {
    const changes = [
      { status: 'processing', at: longAgo, count: 1, placed: true as const },
      { status: 'refunded', at: justNow, count: 1 },
    ]
    expect(found(past('refunded', { changes })).map(({ kind }) => kind)).toEqual(['placed'])
  })

  it('what was imported within the last day, as the shop is silent about it', () => {
    const changes = [
      { status: 'refunded', at: justNow, count: 1, placed: true as const, isImport: true as const },
    ]
    expect(found(past('refunded', { changes }))).toMatchObject([
      { kind: 'placed', at: anOrder().createdAt },
      { kind: 'status', status: 'refunded', at: anOrder().updatedAt },
    ])
  })

  it('no parcel that came within the last day', () => {
    const parcels = [
      aParcel({ id: 'old', shippedAt: new Date(longAgo) }),
      aParcel({ id: 'new', shippedAt: new Date(justNow) }),
    ]
    expect(found(past('shipped', { parcels }))[1]).toMatchObject({ parcels: [{ id: 'old' }] })
    expect(found(past('shipped', { parcels: parcels.slice(1) }))).toHaveLength(1)
  })
})
