import { describe, expect, it } from 'vitest'
import {
  happeningsOf,
  type OrderHistory,
  type StatusChange,
} from '../../../src/shop-events/happening.js'
import { aParcel } from './events.js'

const at = (hour: number) => new Date(Date.UTC(2026, 6, 15, hour))

const change = (status: string, hour: number, more: Partial<StatusChange> = {}): StatusChange => ({
  status,
  at: at(hour).toISOString(),
  count: 1,
  ...more,
})

const tell = (history: Partial<OrderHistory>) =>
  happeningsOf({
    changes: [],
    parcels: [],
    shippedStatus: 'shipped',
    labelOf: (status) => `(${status})`,
    ...history,
  })

const made = change('processing', 1, { placed: true })

describe("an order's history", () => {
  it('is Placed Order for its making, whatever its first status, and a status for each further entry', () => {
    const changes = [{ ...made, status: 'shipped' }, change('cancelled', 2), change('shipped', 3)]
    expect(tell({ changes })).toMatchObject([
      { kind: 'placed', at: at(1) },
      { kind: 'status', status: 'cancelled', label: '(cancelled)', count: 1, isShipped: false },
      { kind: 'status', status: 'shipped', at: at(3), isShipped: true },
    ])
  })

  it('from before Storeconnect has no Placed Order', () => {
    expect(tell({ changes: [change('completed', 2)] })).toMatchObject([
      { kind: 'status', status: 'completed' },
    ])
  })

  it('says nothing of what was silent, or happened before', () => {
    const changes = [made, change('completed', 2, { silent: true }), change('cancelled', 5)]
    expect(tell({ changes, since: at(4) })).toMatchObject([{ status: 'cancelled' }])
    expect(tell({ changes: changes.slice(0, 2) })).toMatchObject([{ kind: 'placed' }])
  })

  it('has all parcels with the shipped status alone', () => {
    const parcels = [aParcel({ shippedAt: at(1) }), aParcel({ id: 'B', shippedAt: at(6) })]
    const told = tell({
      changes: [change('completed', 4), change('shipped', 5)],
      parcels,
      since: at(3),
    })
    expect(told).toMatchObject([{ parcels: [] }, { parcels }])
    expect(told).toHaveLength(2)
  })

  it('has a shipment for a further parcel of an order that was shipped before', () => {
    const parcels = [aParcel({ shippedAt: at(2) }), aParcel({ id: 'B', shippedAt: at(6) })]
    const changes = [made, change('shipped', 2)]
    expect(tell({ changes, parcels, since: at(5) })).toEqual([
      expect.objectContaining({
        status: 'shipped',
        isShipped: true,
        at: at(6),
        parcels: [parcels[1]],
      }),
    ])
    expect(tell({ parcels, since: at(5) })).toHaveLength(1)
  })

  it('says nothing of the parcels of an import', () => {
    const parcels = [aParcel({ shippedAt: at(6) })]
    expect(tell({ changes: [{ ...made, status: 'shipped', silent: true }], parcels })).toEqual([])
  })

  it('says nothing of an entry whose time cannot be read when asked for recent ones', () => {
    expect(tell({ changes: [{ ...made, at: 'noon' }], since: at(1) })).toEqual([])
  })
})
