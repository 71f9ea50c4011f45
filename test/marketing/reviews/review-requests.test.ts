import { describe, expect, it } from 'vitest'
import { anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { aTrackEvent } from '../../support/tracking-webhooks.js'
import { databaseKinds } from '../../support/store.js'
import type { EventShop } from '../feeds/event-shop.js'
import { reviewsShop, trackedReviewsShop } from './reviews-shop.js'

const dayMs = 24 * 60 * 60_000

const requestsOf = async (shop: EventShop, { number }: SavedOrder) =>
  (await shop.events(number)).filter(({ name }) => name === 'Ready to Review')

/** A day at a time, as a process runs all the time. */
async function pass(shop: EventShop, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    shop.move(dayMs)
    await shop.reported()
  }
}

describe.each(databaseKinds)('An order whose parcels nobody tracks (%s)', (kind) => {
  const shop = reviewsShop(kind, { requestAfterDays: 3 })
  const shipped = async (changes = {}) => {
    const order = await saveOrder(shop.payload, anOrder(changes))
    await shop.ship(order.reference, { carrier: 'UPS', service: '', tracking_number: 'A1' })
    return order
  }

  it('is Ready to Review some days after it was shipped, once, with what was bought', async () => {
    const order = await shipped()
    const shippedAt = shop.now()
    await pass(shop, 2)
    expect(await requestsOf(shop, order)).toEqual([])
    await pass(shop, 2)
    expect(await requestsOf(shop, order)).toMatchObject([
      {
        uniqueId: `${order.number}:review`,
        time: new Date(shippedAt + 3 * dayMs).toISOString(),
        properties: { OrderReference: order.reference, ItemNames: ['Green tea'] },
      },
    ])
    // It is worth nothing: the order was counted before.
    expect((await requestsOf(shop, order))[0]).not.toHaveProperty('value')
    const story = await shop.parts.stories.ofOrder(order.id, (key) => key)
    const told = story?.entries.flatMap((entry) =>
      entry.is === 'accepted' ? (entry.send.metric ?? []) : [],
    )
    expect(told).toContain('Ready to Review')
    await shop.update('orders', order.id, { status: 'completed' })
    await pass(shop, 5)
    expect(await requestsOf(shop, order)).toHaveLength(1)
  })

  it('is not when it is cancelled or erased meanwhile, nor one that nobody has shipped', async () => {
    const [cancelled, open] = [await shipped(), await saveOrder(shop.payload)]
    await shop.update('orders', cancelled.id, { status: 'refunded' })
    const erased = await shipped({ customerEmail: 'grace@example.com' })
    await shop.parts.erasures.erase('grace@example.com', { orders: 'keep', door: 'command' })
    await pass(shop, 5)
    for (const order of [cancelled, open, erased]) expect(await requestsOf(shop, order)).toEqual([])
  })

  it('is not when it was shipped long ago, though somebody saves it now', async () => {
    const order = await shipped()
    shop.move(40 * dayMs)
    await shop.update('orders', order.id, { internalNotes: 'Called the customer' })
    await pass(shop, 5)
    expect(await requestsOf(shop, order)).toEqual([])
  })
})

describe.each(databaseKinds)('An order whose parcels are tracked (%s)', (kind) => {
  const shop = trackedReviewsShop(kind)
  const deliver = (tracking_number: string) => {
    const occurred_at = new Date(shop.now()).toISOString()
    return shop.track(aTrackEvent({ tracking_number, status_code: 'DE', occurred_at }))
  }

  it('is Ready to Review seven days after the last of them was delivered', async () => {
    const order = await shop.shipped('A1', 'A2')
    await deliver('A1')
    await shop.track(aTrackEvent({ tracking_number: 'A2' }))
    await pass(shop, 10)
    expect(await requestsOf(shop, order)).toEqual([])
    await deliver('A2')
    const deliveredAt = shop.now()
    await pass(shop, 6)
    expect(await requestsOf(shop, order)).toEqual([])
    await pass(shop, 2)
    expect((await requestsOf(shop, order)).map(({ time }) => time)).toEqual([
      new Date(deliveredAt + 7 * dayMs).toISOString(),
    ])
  })
})
