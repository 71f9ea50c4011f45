import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { partsOf } from '../../src/installation.js'
import { defaultSwitches } from '../../src/events/event-table.js'
import { createProduct, createVariants } from '../support/products.js'
import { anOrder, aLine, saveOrder } from '../support/orders.js'
import { ordersOfYear, savePastOrders } from '../support/past-orders.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'
import { historyWorld, worldNow, year2025, type HistoryWorld } from './history-world.js'

describe.each(databaseKinds)('past orders (%s)', (kind) => {
  let store: TestStore
  beforeEach(async () => {
    store = await openStore(kind)
  })
  afterEach(() => store.close())

  const metricsOf = ({ standIn }: HistoryWorld) =>
    standIn.state.events.map(({ metric }) => metric).sort()

  it('arrive with their own times, marked so that no flow starts', async () => {
    const world = historyWorld(store)
    const createdAt = '2025-03-04T05:06:07.000Z'
    const [order] = await savePastOrders(store.payload, [{ createdAt }])
    await world.start()
    const run = await world.runToEnd()

    expect(run).toMatchObject({ state: 'done', total: 1, done: 1, events: 2, passedOver: 0 })
    expect(run?.endedAt).toBeDefined()
    expect(world.standIn.state.events).toMatchObject([
      { metric: 'Placed Order', uniqueId: order?.number, time: Date.parse(createdAt), value: 42.5 },
      { metric: 'Ordered Product', time: Date.parse(createdAt), value: 35 },
    ])
    expect(JSON.stringify(world.bodies)).toContain('"backfill":true')
    expect(
      world.bodies.map((body) => JSON.stringify(body).includes('"backfill":true')),
    ).not.toContain(false)
  })

  it("pass the store's hooks, which know that they are past and cannot make them new", async () => {
    const asked: (boolean | undefined)[] = []
    const world = historyWorld(store, {
      hooks: {
        beforeProfile: (profile) => ({ ...profile, title: 'Countess', location: { city: 'Bath' } }),
        beforeEvent: ({ backfill, ...event }) => {
          asked.push(backfill)
          return { ...event, properties: { Seen: true } }
        },
      },
    })
    const createdAt = '2025-03-04T05:06:07.000Z'
    const [order] = await savePastOrders(store.payload, [{ createdAt }])
    await world.start()
    await world.runToEnd()

    expect(asked).toEqual([true, true])
    // Both events, and the group that they are in.
    expect(JSON.stringify(world.bodies).match(/"backfill":true/g)).toHaveLength(3)
    expect(world.standIn.state.events).toMatchObject([
      {
        metric: 'Placed Order',
        uniqueId: order?.number,
        time: Date.parse(createdAt),
        value: 42.5,
        properties: { Seen: true },
      },
      { metric: 'Ordered Product', time: Date.parse(createdAt), value: 35 },
    ])
    expect(world.standIn.state.profileByEmail('ada@example.com')).toMatchObject({
      attributes: { title: 'Countess' },
      location: { city: 'Bath' },
    })
  })

  it('from before Storeconnect have the products and variants of their lines as they are now', async () => {
    const world = historyWorld(store)
    const { payload } = store
    const { product, variants } = await createVariants(payload, [900], { sku: 'SMALL' })
    const tea = await createProduct(payload, { image: 'https://cdn.example/tea.png' })
    const gone = await createProduct(payload, { title: 'Oolong' })
    const items = [
      { product, variant: variants[0], quantity: 1 },
      { product: tea, quantity: 2 },
      { product: gone, quantity: 3 },
    ]
    await savePastOrders(payload, [{ createdAt: '2025-03-04T05:06:07.000Z', items }])
    await payload.delete({ collection: 'products', id: gone })
    await world.start()
    await world.runToEnd()

    const { events } = world.standIn.state
    const lines = [
      {
        ProductID: product,
        SKU: 'SMALL',
        ProductName: 'Green tea',
        Quantity: 1,
        ItemPrice: 9,
        RowTotal: 9,
        Options: [{ Name: 'Size', Value: 'size-0' }],
      },
      {
        ProductID: tea,
        SKU: 'TEA-1',
        ProductName: 'Green tea',
        Quantity: 2,
        ItemPrice: 12.5,
        RowTotal: 25,
        ImageURL: 'https://cdn.example/tea.png',
      },
      // Nobody knows what this was.
      { Quantity: 3, ItemPrice: 0, RowTotal: 0 },
    ]
    expect(events[0]).toMatchObject({ metric: 'Placed Order', value: 42.5 })
    expect(events[0]?.properties).toMatchObject({ Items: lines, ItemNames: ['Green tea'] })
    expect(events.slice(1)).toMatchObject(
      lines.map((properties) => ({
        metric: 'Ordered Product',
        value: properties.RowTotal,
        properties,
      })),
    )
  })

  it('say that they are shipped, cancelled or refunded now', async () => {
    const world = historyWorld(store)
    const updatedAt = '2025-04-01T00:00:00.000Z'
    const createdAt = '2025-03-01T00:00:00.000Z'
    const tracking = [{ carrier: 'UPS', service: 'Ground', trackingNumber: '1Z999' }]
    await savePastOrders(store.payload, [
      { createdAt, updatedAt, status: 'completed', tracking },
      { createdAt, updatedAt, status: 'cancelled' },
      { createdAt, updatedAt, status: 'refunded' },
    ])
    await world.start()
    await world.runToEnd()

    const endings = world.standIn.state.events.filter(({ metric }) => /^[CR]/.test(metric))
    expect(endings.map(({ metric }) => metric).sort()).toEqual([
      'Cancelled Order',
      'Completed Order',
      'Refunded Order',
    ])
    expect(endings.find(({ metric }) => metric === 'Completed Order')?.properties).toMatchObject({
      Carrier: 'UPS',
      TrackingNumber: '1Z999',
    })
  })

  it('are those from the first day to before the last, in the time zone of the shop', async () => {
    const world = historyWorld(store, { timezone: 'America/New_York' })
    const moments = [
      '2025-01-01T04:59:59.999Z',
      '2025-01-01T05:00:00.000Z',
      '2026-01-01T04:59:59.999Z',
      '2026-01-01T05:00:00.000Z',
    ]
    const saved = await savePastOrders(
      store.payload,
      moments.map((createdAt) => ({ createdAt })),
    )
    expect(await world.histories.countOrders(year2025)).toBe(2)
    await world.start()
    await world.runToEnd()

    const placed = world.standIn.state.events.filter(({ metric }) => metric === 'Placed Order')
    expect(placed.map(({ uniqueId }) => uniqueId)).toEqual([saved[1]?.number, saved[2]?.number])
  })

  it('are sent once, though pages end among orders of one moment', async () => {
    const world = historyWorld(store, { ordersAtOnce: 3 })
    const createdAt = '2025-05-05T00:00:00.000Z'
    await savePastOrders(
      store.payload,
      Array.from({ length: 11 }, (_, index) => ({
        createdAt,
        number: String(index).padStart(32, '0'),
        reference: `R-${index}`,
      })),
    )
    await world.start()
    const run = await world.runToEnd()

    expect(run).toMatchObject({ state: 'done', total: 11, done: 11, events: 22 })
    expect(world.standIn.state.events.map(({ arrivals }) => arrivals)).toEqual(Array(22).fill(1))
    expect(new Set(world.standIn.state.events.map(({ uniqueId }) => uniqueId)).size).toBe(22)
  })

  it('are not sent again by another run', async () => {
    const world = historyWorld(store)
    await savePastOrders(store.payload, ordersOfYear(5))
    await world.start()
    await world.runToEnd()
    await world.start()
    const again = await world.runToEnd()

    expect(again).toMatchObject({ state: 'done', done: 5, events: 0 })
    expect(world.standIn.state.events.map(({ arrivals }) => arrivals)).toEqual(Array(15).fill(1))
  })

  it('that were sent as they happened are not sent again, in the queue or at the platform', async () => {
    const world = historyWorld(store)
    const order = await saveOrder(store.payload, anOrder({ createdAt: '2025-06-01T00:00:00.000Z' }))
    for (const feed of partsOf(store.payload).feeds) await feed.catchUp()
    // Entered long ago, and still in the queue.
    await store.payload.db.updateOne({
      collection: 'orders',
      id: order.id,
      data: { statusChanges: [{ ...entry, at: '2025-06-01T00:00:00.000Z' }] },
      returning: false,
    })
    await world.start()
    const run = await world.runToEnd()

    expect(run).toMatchObject({ state: 'done', done: 1, events: 0 })
    expect(metricsOf(world)).toEqual(['Ordered Product', 'Placed Order'])
    expect(JSON.stringify(world.bodies)).not.toContain('backfill')
  })

  it('leave to the shop what happened within the last day', async () => {
    const world = historyWorld(store)
    const at = new Date(worldNow - 3_600_000).toISOString()
    await savePastOrders(store.payload, [
      { createdAt: '2025-06-01T00:00:00.000Z', statusChanges: [{ ...entry, at }] },
    ])
    await world.start()

    expect(await world.runToEnd()).toMatchObject({ done: 1, events: 0, passedOver: 1 })
    expect(world.standIn.state.events).toEqual([])
  })

  it('of an import bear the time of the order, not of the import', async () => {
    const world = historyWorld(store)
    const createdAt = '2025-02-03T04:05:06.000Z'
    await store.payload.create({
      collection: 'orders',
      data: anOrder({ createdAt }),
      context: { storeconnect: 'import' },
    })
    await world.start()
    await world.runToEnd()

    expect(world.standIn.state.events.map(({ time }) => time)).toEqual([
      Date.parse(createdAt),
      Date.parse(createdAt),
    ])
  })

  it('without a valid email are counted as passed over', async () => {
    const world = historyWorld(store)
    const [first = {}, ...others] = ordersOfYear(3)
    await savePastOrders(store.payload, [{ ...first, customerEmail: null }, ...others])
    await world.start()

    expect(await world.runToEnd()).toMatchObject({ done: 3, passedOver: 1, events: 6 })
  })

  it('send no event that is switched off', async () => {
    const builtInEvents = { ...defaultSwitches, orderedProduct: false, statusChanged: false }
    const world = historyWorld(store, { settings: { builtInEvents } })
    await savePastOrders(store.payload, [
      { createdAt: '2025-03-01T00:00:00.000Z', status: 'cancelled', items: [aLine()] },
    ])
    await world.start()
    await world.runToEnd()

    expect(metricsOf(world)).toEqual(['Placed Order'])
  })

  it('do not change where a person lives by what an old order knows', async () => {
    const world = historyWorld(store)
    await savePastOrders(store.payload, ordersOfYear(1))
    await world.start()
    await world.runToEnd()

    const profile = world.standIn.state.profileByEmail('buyer-0@example.com')
    expect(profile?.attributes).toMatchObject({ first_name: 'Ada' })
    expect(profile?.location).toEqual({})
    expect(profile?.attributes.phone_number).toBeUndefined()
  })

  it('wait when they are paused, and go on where they were', async () => {
    const world = historyWorld(store, { ordersAtOnce: 4 })
    await savePastOrders(store.payload, ordersOfYear(20))
    const { id } = await world.start()
    await world.step()
    await world.step()
    expect(await world.histories.pause(id)).toMatchObject({ state: 'paused', done: 4 })

    expect(await world.runToEnd()).toMatchObject({ state: 'paused', done: 4 })
    expect(await world.histories.resume(id)).toMatchObject({ state: 'running', done: 4 })
    expect(await world.runToEnd()).toMatchObject({ state: 'done', done: 20, events: 60 })
    expect(world.standIn.state.events.map(({ arrivals }) => arrivals)).toEqual(Array(60).fill(1))
  })

  it('stop for good when they are cancelled; what is in the queue is sent', async () => {
    const world = historyWorld(store, { ordersAtOnce: 4 })
    await savePastOrders(store.payload, ordersOfYear(20))
    const { id } = await world.start()
    await world.step()
    await world.step()
    expect(await world.histories.cancel(id)).toMatchObject({ state: 'cancelled', done: 4 })

    await world.runToEnd()
    expect(world.standIn.state.events).toHaveLength(12)
    expect(await world.histories.resume(id)).toBeUndefined()
    expect(await world.histories.start(year2025, { startedBy: undefined })).toMatchObject({
      isNew: true,
    })
  })

  it('store nothing of a page that was not over when they were stopped', async () => {
    const world = historyWorld(store, {
      hooks: {
        async beforeEvent(event) {
          const run = await world.histories.latest()
          if (run !== undefined) await world.histories.pause(run.id)
          return event
        },
      },
    })
    await savePastOrders(store.payload, ordersOfYear(2))
    const { id } = await world.start()
    await world.step()
    await world.step()

    expect(await world.work.waitingEvents(10)).toBe(0)
    expect(await world.histories.find(id)).toMatchObject({ state: 'paused', done: 0, events: 0 })
  })

  it('of two periods are not sent at once', async () => {
    const { histories } = historyWorld(store)
    const starts = await Promise.all(
      Array.from({ length: 4 }, () => histories.start(year2025, { startedBy: undefined })),
    )
    expect(starts.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(starts.map(({ run }) => run.id)).size).toBe(1)
  })

  it('are stored and counted once when two processes are at the same page for a moment', async () => {
    const world = historyWorld(store, { ordersAtOnce: 2 })
    await savePastOrders(store.payload, ordersOfYear(6))
    await world.start()
    await world.step()
    const seen = await world.work.current()
    if (seen === undefined) throw new Error('There is no run.')
    await Promise.all([world.work.step(seen), world.coldProcess().work.step(seen)])

    expect(await world.histories.latest()).toMatchObject({ done: 2, events: 6 })
    expect(await world.runToEnd()).toMatchObject({ state: 'done', done: 6, events: 18 })
    expect(world.standIn.state.events.map(({ arrivals }) => arrivals)).toEqual(Array(18).fill(1))
  })

  it('can be resumed when they were given up, and say why they were', async () => {
    const world = historyWorld(store)
    await savePastOrders(store.payload, ordersOfYear(2))
    const { id } = await world.start()
    await world.giveUp()
    expect(await world.histories.find(id)).toMatchObject({
      state: 'failed',
      lastError: 'historyGivenUp',
    })
    expect(await world.histories.resume(id)).toMatchObject({ lastError: undefined })
    expect(await world.runToEnd()).toMatchObject({ state: 'done', events: 6 })
  })
})

const entry = { status: 'processing', count: 1, placed: true }
