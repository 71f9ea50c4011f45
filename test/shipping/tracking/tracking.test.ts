import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { randomFrom } from '../../../dev/seed/random.ts'
import { marketingSettingsSlug } from '../../../src/marketing/settings/marketing-settings.js'
import { changeSettings } from '../../support/exported-orders.js'
import { saveOrder } from '../../support/orders.js'
import type { SimulatedProcess } from '../../support/simulated-store.js'
import { databaseKinds } from '../../support/store.js'
import { aTrackEvent } from '../../support/tracking-webhooks.js'
import { trackingShop } from './tracking-shop.js'

/** What ShipStation reports of a parcel on its way, one after another. */
const way = [
  { status_code: 'AC', occurred_at: '2026-11-02T06:00:00.000Z' },
  { status_code: 'IT', occurred_at: '2026-11-02T07:00:00.000Z' },
  { status_code: 'IT', occurred_at: '2026-11-02T08:00:00.000Z' },
  { status_code: 'EX', occurred_at: '2026-11-02T09:00:00.000Z' },
  { status_code: 'IT', occurred_at: '2026-11-02T09:30:00.000Z' },
  {
    status_code: 'IT',
    status_detail_code: 'OUT_FOR_DELIVERY',
    occurred_at: '2026-11-02T09:40:00.000Z',
  },
  { status_code: 'DE', occurred_at: '2026-11-02T09:50:00.000Z' },
]

const wholeWay = {
  state: 'delivered',
  movedAt: '2026-11-02T09:50:00.000Z',
  states: {
    accepted: '2026-11-02T06:00:00.000Z',
    'in-transit': '2026-11-02T07:00:00.000Z',
    delayed: '2026-11-02T09:00:00.000Z',
    'out-for-delivery': '2026-11-02T09:40:00.000Z',
    delivered: '2026-11-02T09:50:00.000Z',
  },
}

const metricsOfWay = [
  'Shipment In Transit',
  'Shipment Delayed',
  'Shipment Out for Delivery',
  'Shipment Delivered',
]

describe.each(databaseKinds)('Tracking updates (%s)', (kind) => {
  const shop = trackingShop(kind)
  const eventsOf = async (number: string) =>
    (await shop.events(number)).filter(({ name }) => name.startsWith('Shipment '))

  describe('of several parcels', () => {
    let other: SimulatedProcess

    it.each([1, 2, 3, 4, 5])(
      'are each state once, whatever their order and however often they come, in two processes (seed %i)',
      async (seed) => {
        other ??= await shop.join()
        const random = randomFrom(seed)
        const two = await shop.shipped('A1', 'A2')
        const one = await shop.shipped('B1')
        const events = ['A1', 'A2', 'B1'].flatMap((tracking_number) =>
          way.map((step) => aTrackEvent({ tracking_number, ...step })),
        )
        const posted = [...events, ...events]
          .map((event) => ({ event, place: random.next() }))
          .toSorted((first, second) => first.place - second.place)
        await Promise.all(
          posted.map(({ event }, index) => shop.track(event, index % 2 === 0 ? shop : other)),
        )
        expect(await shop.parcels()).toEqual({ A1: wholeWay, A2: wholeWay, B1: wholeWay })

        const told = await eventsOf(two.number)
        expect(told).toHaveLength(2 * metricsOfWay.length)
        expect(new Set(told.map(({ uniqueId }) => uniqueId)).size).toBe(told.length)
        expect(told.map(({ time }) => time)).toEqual(told.map(({ time }) => time).toSorted())
        expect((await eventsOf(one.number)).map(({ name }) => name)).toEqual(metricsOfWay)
        expect(told.find(({ name }) => name === 'Shipment Delivered')).toMatchObject({
          time: '2026-11-02T09:50:00.000Z',
          properties: {
            OrderReference: two.reference,
            Carrier: 'UPS',
            TrackingNumber: expect.stringMatching(/^A[12]$/) as string,
            EstimatedDeliveryDate: '2026-11-05',
          },
        })
      },
    )
  })

  it('that are told late are told once, with their own time, and do not move the parcel back', async () => {
    const { number } = await shop.shipped('1Z999AA1')
    const [, inTransit, , , , , delivered] = way
    await shop.track(aTrackEvent({ ...delivered }))
    expect((await eventsOf(number)).map(({ name }) => name)).toEqual(['Shipment Delivered'])
    await shop.track(aTrackEvent({ ...inTransit }))
    await shop.track(aTrackEvent({ ...delivered }))
    await shop.restartFeeds()
    expect((await shop.parcels())['1Z999AA1']).toMatchObject({
      state: 'delivered',
      movedAt: delivered?.occurred_at,
      states: { 'in-transit': inTransit?.occurred_at },
    })
    expect((await eventsOf(number)).map(({ name, time }) => [name, time])).toEqual([
      ['Shipment Delivered', delivered?.occurred_at],
      ['Shipment In Transit', inTransit?.occurred_at],
    ])
  })

  it('come after the shipment itself, with what a mail shows of the order', async () => {
    const { number } = await shop.shipped('1Z999AA1')
    await shop.track(aTrackEvent({ occurred_at: new Date(shop.now()).toISOString() }))
    const events = await shop.events(number)
    expect(events.map(({ name }) => name)).toEqual([
      'Placed Order',
      'Ordered Product',
      'Shipped Order',
      'Shipment In Transit',
    ])
    const { OrderReference, Items, ShippingAddress } = events[0]?.properties ?? {}
    expect([Items, ShippingAddress]).toMatchObject([[{ SKU: 'TEA-1' }], { FirstName: 'Ada' }])
    expect(events[3]?.properties).toMatchObject({ OrderReference, Items, ShippingAddress })
  })

  it('tell the expected day of delivery that is the newest', async () => {
    await shop.shipped('1Z999AA1')
    const expectedOn = async () => {
      const { docs } = await shop.payload.find({ collection: 'shipping-notices' })
      return (docs[0] as { estimatedDelivery?: string }).estimatedDelivery?.slice(0, 10)
    }
    await shop.track(aTrackEvent({ occurred_at: '2026-11-02T08:00:00Z' }))
    expect(await expectedOn()).toBe('2026-11-05')
    const later = { estimated_delivery_date: '2026-11-07T00:00:00' }
    await shop.track(aTrackEvent({ occurred_at: '2026-11-02T09:00:00Z', ...later }))
    const older = { estimated_delivery_date: '2026-11-04T00:00:00' }
    await shop.track(aTrackEvent({ occurred_at: '2026-11-02T07:00:00Z', ...older }))
    await shop.track(aTrackEvent({ estimated_delivery_date: null }))
    expect(await expectedOn()).toBe('2026-11-07')
  })

  it('are of every order that shares the parcel, and of no other carrier', async () => {
    const orders = [await shop.shipped('1Z999AA1'), await shop.shipped('1Z999AA1')]
    const { number, reference } = await saveOrder(shop.payload)
    await shop.ship(reference, { carrier: 'USPS', service: '', tracking_number: '1Z999AA1' })
    await shop.track(aTrackEvent())
    for (const order of orders) expect(await eventsOf(order.number)).toHaveLength(1)
    expect(await eventsOf(number)).toEqual([])
  })

  it('of a parcel of nobody, or about something else, are taken and change nothing', async () => {
    await shop.shipped('1Z999AA1')
    await shop.track(aTrackEvent({ tracking_number: 'another shop' }))
    await shop.track(aTrackEvent({ status_code: 'UN' }))
    await shop.track({ resource_type: 'LABEL_CREATED_V2' })
    expect(await shop.parcels()).toEqual({
      '1Z999AA1': { state: null, movedAt: null, states: {} },
    })
  })

  it('are not of a number that a carrier gave to another parcel four months ago', async () => {
    await shop.shipped('1Z999AA1')
    shop.move(121 * 24 * 3_600_000)
    await shop.track(aTrackEvent())
    expect((await shop.parcels())['1Z999AA1']).toMatchObject({ state: null })
  })

  it('keep nothing of where a parcel was and who took it', async () => {
    await shop.shipped('1Z999AA1')
    await shop.track(aTrackEvent({ status_code: 'DE' }))
    const { docs } = await shop.payload.find({ collection: 'shipping-notices' })
    expect(JSON.stringify(docs)).toContain('delivered')
    expect(JSON.stringify(docs) + shop.log.text()).not.toMatch(/HOBOKEN|07030|LOVELACE/)
  })

  it('do not change the order, so that ShipStation does not get it again', async () => {
    const { id } = await shop.shipped('1Z999AA1')
    const read = () => shop.payload.findByID({ collection: 'orders', id, depth: 0 })
    const before = await read()
    shop.move(60_000)
    await shop.track(aTrackEvent())
    expect(await read()).toEqual(before)
  })

  describe('whose event is switched off', () => {
    const turn = (shipmentInTransit: boolean) =>
      shop.payload.updateGlobal({
        slug: marketingSettingsSlug,
        data: { builtInEvents: { shipmentInTransit } },
      })
    afterEach(() => turn(true))

    it('are not sent later either', async () => {
      const { number } = await shop.shipped('1Z999AA1')
      await turn(false)
      await shop.track(aTrackEvent({ ...way[1] }))
      await turn(true)
      await shop.track(aTrackEvent({ ...way[2] }))
      await shop.track(aTrackEvent({ ...way[6] }))
      await shop.restartFeeds()
      expect((await eventsOf(number)).map(({ name }) => name)).toEqual(['Shipment Delivered'])
      expect((await shop.parcels())['1Z999AA1']).toMatchObject({
        states: { 'in-transit': way[1]?.occurred_at },
      })
    })
  })

  describe('in the story of the order', () => {
    beforeEach(() => shop.loseSends())

    const storyOf = async (id: number | string) => shop.parts.stories.ofOrder(id, (key) => key)

    it('are entries, and say how the order stands', async () => {
      const { id } = await shop.shipped('A1', 'A2')
      const [, inTransit, , , , , delivered] = way
      await shop.track(aTrackEvent({ tracking_number: 'A1', ...inTransit }))
      await shop.track(aTrackEvent({ tracking_number: 'A2', ...delivered }))
      await shop.reported()
      const story = await storyOf(id)
      expect(story?.standing).toMatchObject({
        trackingNumber: 'A1',
        state: 'in-transit',
        parcels: 2,
      })
      expect(story?.entries.filter((entry) => entry.is === 'parcel')).toEqual([
        {
          is: 'parcel',
          state: 'delivered',
          carrier: 'UPS',
          trackingNumber: 'A2',
          at: delivered?.occurred_at,
        },
        {
          is: 'parcel',
          state: 'in-transit',
          carrier: 'UPS',
          trackingNumber: 'A1',
          at: inTransit?.occurred_at,
        },
      ])
      const sent = story?.entries.flatMap((entry) =>
        entry.is === 'accepted' ? entry.send.metric : [],
      )
      expect(sent).toEqual(expect.arrayContaining(['Shipment In Transit', 'Shipment Delivered']))
      await shop.track(aTrackEvent({ tracking_number: 'A1', ...delivered }))
      expect((await storyOf(id))?.standing).toMatchObject({ state: 'delivered' })
    })
  })

  describe('that are off', () => {
    beforeEach(() => changeSettings(shop.payload, { trackingUpdates: false }))
    afterEach(() => changeSettings(shop.payload, { trackingUpdates: true }))

    it('have no URL', async () => {
      await shop.shipped('1Z999AA1')
      const response = await shop.handle(shop.shipStation().webhook(aTrackEvent()))
      expect(response.status).toBe(404)
      expect(response.headers.get('x-error-code')).toBe('ACTION_NOT_FOUND')
      expect(shop.shipStation().asked).toBe(0)
      expect((await shop.parcels())['1Z999AA1']).toMatchObject({ state: null })
    })
  })
})
