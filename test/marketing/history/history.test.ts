import { beforeEach, describe, expect, it } from 'vitest'
import { marketingSettingsSlug } from '../../../src/marketing/settings/marketing-settings.js'
import { defaultSwitches } from '../../../src/marketing/events/event-table.js'
import { catchUpFeeds } from '../../support/catch-up-feeds.js'
import { createProduct, createVariants } from '../../support/products.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { copyPastOrders, ordersOfYear, savePastOrders } from '../../support/past-orders.js'
import { anyKind, databaseKinds } from '../../support/store.js'
import { historyWorld, year2025 } from './history-world.js'

describe.each(databaseKinds)('past orders (%s)', (kind) => {
  const world = historyWorld(kind)
  const metrics = () => world.standIn.state.events.map(({ metric }) => metric).sort()

  it('arrive with their own times, marked so that no flow starts', async () => {
    const createdAt = '2025-03-04T05:06:07.000Z'
    const [order] = await savePastOrders(world.payload, [{ createdAt }])
    const run = await world.run()

    expect(run).toMatchObject({ state: 'done', total: 1, done: 1, events: 2, passedOver: 0 })
    expect(run?.endedAt).toBeDefined()
    expect(world.standIn.state.events).toMatchObject([
      { metric: 'Placed Order', uniqueId: order?.number, time: Date.parse(createdAt), value: 42.5 },
      { metric: 'Ordered Product', time: Date.parse(createdAt), value: 35 },
    ])
    expect(world.bodies.length).toBeGreaterThan(0)
    for (const body of world.bodies) expect(JSON.stringify(body)).toContain('"backfill":true')
  })

  it("pass the store's hooks, which know that they are past and cannot make them new", async () => {
    const asked: (boolean | undefined)[] = []
    world.hooks.beforeProfile = (profile) => ({
      ...profile,
      title: 'Countess',
      location: { city: 'Bath' },
    })
    world.hooks.beforeEvent = ({ backfill, ...event }) => {
      asked.push(backfill)
      return { ...event, properties: { Seen: true } }
    }
    const createdAt = '2025-03-04T05:06:07.000Z'
    const [order] = await savePastOrders(world.payload, [{ createdAt }])
    await world.run()

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
    const { payload } = world
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
    await world.run()

    const { events } = world.standIn.state
    const named = { ProductName: 'Green tea' }
    const small = { ...named, ProductID: product, SKU: 'SMALL' }
    const lines = [
      { ...small, Quantity: 1, RowTotal: 9, Options: [{ Name: 'Size', Value: 'size-0' }] },
      {
        ...named,
        ProductID: tea,
        SKU: 'TEA-1',
        RowTotal: 25,
        ImageURL: 'https://cdn.example/tea.png',
      },
    ]
    expect(events[0]).toMatchObject({ metric: 'Placed Order', value: 42.5 })
    expect(events[0]?.properties).toMatchObject({
      // Nobody knows what the third was, and what it cost.
      Items: [...lines, { Quantity: 3 }],
      ItemNames: ['Green tea'],
    })
    expect(events[0]?.properties.Items).not.toMatchObject([{}, {}, { ItemPrice: 0 }])
    expect(events.slice(1)).toMatchObject(
      lines.map((properties) => ({
        metric: 'Ordered Product',
        value: properties.RowTotal,
        properties,
      })),
    )
  })

  it('say that they are shipped, cancelled or refunded now', async () => {
    const updatedAt = '2025-04-01T00:00:00.000Z'
    const createdAt = '2025-03-01T00:00:00.000Z'
    const tracking = [{ carrier: 'UPS', service: 'Ground', trackingNumber: '1Z999' }]
    await savePastOrders(world.payload, [
      { createdAt, updatedAt, status: 'completed', tracking },
      { createdAt, updatedAt, status: 'cancelled' },
      { createdAt, updatedAt, status: 'refunded' },
    ])
    await world.run()

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

  it('are not sent again by another run, nor change where a person lives', async () => {
    await savePastOrders(world.payload, ordersOfYear(5))
    await world.run()
    const profile = world.standIn.state.profileByEmail('buyer-0@example.com')
    expect(profile?.attributes).toMatchObject({ first_name: 'Ada' })
    expect(profile?.location).toEqual({})
    expect(profile?.attributes.phone_number).toBeUndefined()
    await world.start()
    const again = await world.runToEnd()

    expect(again).toMatchObject({ state: 'done', done: 5, events: 0 })
    expect(world.standIn.state.events.map(({ arrivals }) => arrivals)).toEqual(Array(15).fill(1))
  })

  it('that were sent as they happened are not sent again, in the queue or at the platform', async () => {
    const order = await saveOrder(world.payload, anOrder({ createdAt: '2025-06-01T00:00:00.000Z' }))
    await catchUpFeeds(world.payload)
    // Entered long ago, and still in the queue.
    await world.payload.db.updateOne({
      collection: 'orders',
      id: order.id,
      data: { statusChanges: [{ ...entry, at: '2025-06-01T00:00:00.000Z' }] },
      returning: false,
    })
    const run = await world.run()

    expect(run).toMatchObject({ state: 'done', done: 1, events: 0 })
    expect(metrics()).toEqual(['Ordered Product', 'Placed Order'])
    expect(JSON.stringify(world.bodies)).not.toContain('backfill')
  })

  it('of an import bear the time of the order, and without a valid email are counted as passed over', async () => {
    const { payload } = world
    const createdAt = '2025-02-03T04:05:06.000Z'
    const context = { storeconnect: 'import' }
    await payload.create({ collection: 'orders', data: anOrder({ createdAt }), context })
    await savePastOrders(payload, [{ createdAt, customerEmail: null }])
    expect(await world.run()).toMatchObject({ done: 2, passedOver: 1, events: 2 })
    const times = world.standIn.state.events.map(({ time }) => time)
    expect(times).toEqual([Date.parse(createdAt), Date.parse(createdAt)])
  })

  it('send no event that is switched off', async () => {
    const save = (builtInEvents: object) =>
      world.payload.updateGlobal({ slug: marketingSettingsSlug, data: { builtInEvents } })
    await save({ ...defaultSwitches, orderedProduct: false, statusChanged: false })
    await savePastOrders(world.payload, [
      { createdAt: '2025-03-01T00:00:00.000Z', status: 'cancelled' },
    ])
    await world.run()
    await save(defaultSwitches)

    expect(metrics()).toEqual(['Placed Order'])
  })

  it('store nothing of a page that was not over when they were stopped', async () => {
    world.hooks.beforeEvent = async (event) => {
      const run = await world.parts.histories.latest()
      if (run !== undefined) await world.parts.histories.pause(run.id)
      return event
    }
    await savePastOrders(world.payload, ordersOfYear(2))
    const { id } = await world.start()
    await world.step()
    await world.step()

    expect(await world.parts.historyWork.waitingEvents(10)).toBe(0)
    expect(await world.parts.histories.find(id)).toMatchObject({
      state: 'paused',
      done: 0,
      events: 0,
    })
  })

  it('of two periods are not sent at once', async () => {
    const { histories } = world.parts
    const starts = await Promise.all(
      Array.from({ length: 4 }, () => histories.start(year2025, { startedBy: undefined })),
    )
    expect(starts.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(starts.map(({ run }) => run.id)).size).toBe(1)
  })

  describe('of several pages', () => {
    /** More than two pages. Each order has three events. */
    const count = 250
    const expectAllOnce = async () => {
      const all = { state: 'done', done: count, events: count * 3 }
      expect(await world.runToEnd()).toMatchObject(all)
      const arrivals = world.standIn.state.events.map((event) => event.arrivals)
      expect(arrivals).toEqual(Array<number>(count * 3).fill(1))
    }
    beforeEach(() => copyPastOrders(world.payload, count))

    it('wait when they are paused, and go on where they were', async () => {
      const { id } = await world.start()
      await world.step()
      await world.step()
      expect(await world.parts.histories.pause(id)).toMatchObject({ state: 'paused', done: 100 })

      expect(await world.runToEnd()).toMatchObject({ state: 'paused', done: 100 })
      expect(await world.parts.histories.resume(id)).toMatchObject({ state: 'running', done: 100 })
      await expectAllOnce()
    })

    it('go on in the next task when the time of one is over', async () => {
      const { delivery } = world.parts
      await world.start()
      world.hooks.lineItemProperties = (own) => {
        world.move(60_000)
        return own
      }
      await delivery.runUntilIdle({ deadline: new Date(world.now() + 50_000) })
      expect(await world.parts.histories.latest()).toMatchObject({ state: 'running', done: 100 })
      await world.pass()
      expect(await world.parts.histories.latest()).toMatchObject({ state: 'done', done: count })
    })

    it('stop for good when they are cancelled; what is in the queue is sent', async () => {
      const { id } = await world.start()
      await world.step()
      await world.step()
      expect(await world.parts.histories.cancel(id)).toMatchObject({
        state: 'cancelled',
        done: 100,
      })

      await world.runToEnd()
      expect(world.standIn.state.events).toHaveLength(300)
      expect(await world.parts.histories.resume(id)).toBeUndefined()
      expect(await world.parts.histories.start(year2025, { startedBy: undefined })).toMatchObject({
        isNew: true,
      })
    })

    it('are stored and counted once when two processes are at the same page for a moment', async () => {
      const { parts: other } = await world.join()
      await world.start()
      await world.step()
      const seen = await world.parts.historyWork.current()
      if (seen === undefined) throw new Error('There is no run.')
      await Promise.all([world.parts.historyWork.step(seen), other.historyWork.step(seen)])

      expect(await world.parts.histories.latest()).toMatchObject({ done: 100, events: 300 })
      await expectAllOnce()
    })

    it('go on from where another process came to meanwhile', async () => {
      const { parts: other } = await world.join()
      const stepOfOther = async () => {
        const run = await other.historyWork.current()
        if (run !== undefined) await other.historyWork.step(run)
      }
      await world.start()
      await world.step()
      let meanwhile: (() => Promise<void>) | undefined = async () => {
        await stepOfOther()
        await stepOfOther()
      }
      world.hooks.beforeEvent = async (event) => {
        const once = meanwhile
        meanwhile = undefined
        await once?.()
        return event
      }
      await world.step()
      expect(await world.parts.histories.latest()).toMatchObject({ done: 200, events: 600 })
      await expectAllOnce()
    })

    it('are sent once, though pages end among orders of one moment', async () => {
      await world.payload.db.deleteMany({ collection: 'orders', where: {} })
      await copyPastOrders(world.payload, count, { apartSeconds: 0 })
      await world.start()
      await expectAllOnce()
    })
  })
})

describe('past orders of a shop in New York', () => {
  const world = historyWorld(anyKind, { timezone: 'America/New_York' })

  it('are those from the first day to before the last, in the time zone of the shop', async () => {
    const moments = [
      '2025-01-01T04:59:59.999Z',
      '2025-01-01T05:00:00.000Z',
      '2026-01-01T04:59:59.999Z',
      '2026-01-01T05:00:00.000Z',
    ]
    const saved = await savePastOrders(
      world.payload,
      moments.map((createdAt) => ({ createdAt })),
    )
    expect(await world.parts.histories.countOrders(year2025)).toBe(2)
    await world.run()

    const placed = world.standIn.state.events.filter(({ metric }) => metric === 'Placed Order')
    expect(placed.map(({ uniqueId }) => uniqueId)).toEqual([saved[1]?.number, saved[2]?.number])
  })
})

const entry = { status: 'processing', count: 1, placed: true }
