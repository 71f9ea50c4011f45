import { describe, expect, it } from 'vitest'
import { readTrackingReport } from '../../../../src/shipping/tracking/tracking-report.js'
import { aTrackEvent } from '../../../support/tracking-webhooks.js'

const sentAt = new Date('2026-11-02T12:00:00Z')
const read = (changes: Record<string, unknown>) => readTrackingReport(aTrackEvent(changes), sentAt)

const scan = (occurred_at: unknown, status_code: string | null = 'IT') => ({
  occurred_at,
  status_code,
})

describe('A report of ShipStation', () => {
  it.each([
    ['NY', 'SHIPMENT_CREATED', 'accepted'],
    ['AC', null, 'accepted'],
    ['IT', null, 'in-transit'],
    ['IT', 'OUT_FOR_DELIVERY', 'out-for-delivery'],
    ['AT', 'CUSTOMER_CARDED', 'attempted'],
    ['SP', null, 'ready-for-pickup'],
    ['DE', 'DELIVERED', 'delivered'],
    ['EX', null, 'delayed'],
    ['EX', 'CARRIER_DELAYS', 'delayed'],
    ['EX', 'toString', 'delayed'],
    ['EX', 'PARCEL_LOST', 'lost'],
    ['EX', 'CANCELLED', 'cancelled'],
    ['EX', 'RETURN_TO_SENDER', 'returning'],
    ['EX', 'REFUSED_BY_CUSTOMER', 'returning'],
  ])('of %s with %s is the state %s', (status_code, status_detail_code, state) => {
    expect(read({ status_code, status_detail_code })).toMatchObject({ state })
  })

  it('says in words that a parcel of UPS is out for delivery', () => {
    const words = { carrier_status_description: 'Out For Delivery Today' }
    expect(read(words)).toMatchObject({ state: 'out-for-delivery' })
    expect(read({ ...words, status_code: 'DE' })).toMatchObject({ state: 'delivered' })
  })

  it.each(['UN', 'XX', 'constructor', ''])('says nothing with the code "%s"', (status_code) => {
    expect(read({ status_code })).toBeUndefined()
  })

  it('says nothing when it is another event', () => {
    const event = { resource_type: 'LABEL_CREATED_V2', data: null }
    expect(readTrackingReport(event, sentAt)).toBeUndefined()
  })

  it.each([
    ['resource_type', {}],
    ['body', null],
    ['data', { resource_type: 'TRACK_EVENT_V2' }],
    ['data.tracking_number', aTrackEvent({ tracking_number: ' ' })],
    ['data.tracking_number', aTrackEvent({ tracking_number: '1'.repeat(101) })],
    ['data.tracking_number', aTrackEvent({ tracking_number: '1Z\0' })],
    ['data.status_code', aTrackEvent({ status_code: 7 })],
    ['data.events', aTrackEvent({ events: 'none' })],
  ])('names %s when it cannot be read', (invalid, body) => {
    expect(readTrackingReport(body, sentAt)).toEqual({ invalid })
  })

  it.each<[string, unknown, string]>([
    [
      'the newest of its scans',
      [scan('2026-11-02T09:00:00Z'), scan('2026-11-02T10:30:00Z')],
      '10:30',
    ],
    [
      'one of the same code',
      [scan('2026-11-02T11:00:00Z', 'EX'), scan('2026-11-02T10:00:00Z')],
      '10:00',
    ],
    ['any when none has its code', [scan('2026-11-02T11:00:00Z', null)], '11:00'],
    ['ShipStation when it has no scan', [], '12:00'],
    ['ShipStation when no scan has a time', [scan('yesterday'), scan(null)], '12:00'],
    ['ShipStation when the scan is still to come', [scan('2026-11-02T19:00:00Z')], '12:00'],
    ['ShipStation without a list', null, '12:00'],
  ])('has the time of %s', (_whose, events, time) => {
    expect(read({ events })).toMatchObject({ at: `2026-11-02T${time}:00.000Z` })
  })

  it.each([
    ['2026-11-05T00:00:00', '2026-11-05'],
    ['2026-11-05T23:30:00Z', '2026-11-05'],
    ['soon', undefined],
    [null, undefined],
  ])('expects the delivery of %s on %s', (estimated_delivery_date, day) => {
    expect(read({ estimated_delivery_date })).toMatchObject({ estimatedDelivery: day })
  })
})
