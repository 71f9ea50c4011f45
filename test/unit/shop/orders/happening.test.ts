import { describe, expect, it } from 'vitest'
import { happeningsOf, type StatusHistory } from '../../../../src/shop/orders/happening.js'
import type { StatusChange } from '../../../../src/shop/orders/status-history.js'
import { aParcel } from '../../marketing/feeds/events.js'

const at = (hour: number) => new Date(Date.UTC(2026, 6, 15, hour))

const change = (status: string, hour: number, more: Partial<StatusChange> = {}): StatusChange => ({
  status,
  at: at(hour).toISOString(),
  count: 1,
  ...more,
})

const find = (history: Partial<StatusHistory>) =>
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
    expect(find({ changes })).toMatchObject([
      { kind: 'placed', at: at(1) },
      { kind: 'status', status: 'cancelled', label: '(cancelled)', count: 1, isShipped: false },
      { kind: 'status', status: 'shipped', at: at(3), isShipped: true },
    ])
  })

  it('says nothing of what was silent, or happened before', () => {
    const changes = [made, change('completed', 2, { isImport: true }), change('cancelled', 5)]
    expect(find({ changes, since: at(4) })).toMatchObject([{ status: 'cancelled' }])
    expect(find({ changes: changes.slice(0, 2) })).toMatchObject([{ kind: 'placed' }])
    // An order from before Storeconnect has no Placed Order, and what cannot be read is not recent.
    const before = [change('completed', 2)]
    expect(find({ changes: before })).toMatchObject([{ kind: 'status', status: 'completed' }])
    expect(find({ changes: [{ ...made, at: 'noon' }], since: at(1) })).toEqual([])
  })

  it('has all parcels with the shipped status alone', () => {
    const parcels = [aParcel({ shippedAt: at(1) }), aParcel({ id: 'B', shippedAt: at(6) })]
    const found = find({
      changes: [change('completed', 4), change('shipped', 5)],
      parcels,
      since: at(3),
    })
    expect(found).toMatchObject([{ parcels: [] }, { parcels }])
    expect(found).toHaveLength(2)
  })

  it('has a shipment for a further parcel of an order that was shipped before', () => {
    const parcels = [aParcel({ shippedAt: at(2) }), aParcel({ id: 'B', shippedAt: at(6) })]
    const changes = [made, change('shipped', 2)]
    expect(find({ changes, parcels, since: at(5) })).toEqual([
      expect.objectContaining({
        status: 'shipped',
        isShipped: true,
        at: at(6),
        parcels: [parcels[1]],
      }),
    ])
    expect(find({ parcels, since: at(5) })).toHaveLength(1)
  })

  it('says nothing of the parcels of an import', () => {
    const parcels = [aParcel({ shippedAt: at(6) })]
    expect(find({ changes: [{ ...made, status: 'shipped', isImport: true }], parcels })).toEqual([])
  })
})
