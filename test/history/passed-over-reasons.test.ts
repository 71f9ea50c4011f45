import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultMarketingSettings } from '../../src/marketing-settings/marketing-settings.js'
import { historyWorld, worldNow } from './history-world.js'
import { ordersOfYear, savePastOrders } from '../support/past-orders.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'
import { anOrder } from '../unit/feeds/events.js'

const entry = { status: 'processing', count: 1, placed: true }
const createdAt = '2025-06-01T00:00:00.000Z'

describe.each(databaseKinds)('Past orders that are passed over (%s)', (kind) => {
  let store: TestStore
  beforeEach(async () => {
    store = await openStore(kind)
  })
  afterEach(() => store.close())

  it('are counted by the reasons that apply, over all pages of a run', async () => {
    const world = historyWorld(store, {
      ordersAtOnce: 2,
      options: {
        orders: {
          map({ id, ...document }) {
            const { customerEmail, internalNotes } = document as Record<string, unknown>
            if (internalNotes === 'broken') throw new Error('Not mappable')
            const email = String(customerEmail ?? '')
            return { ...anOrder(), id, email, internalNotes: String(internalNotes ?? '') }
          },
        },
      },
      hooks: {
        orderProperties: (properties, about) =>
          about.kind === 'order' && about.order.internalNotes === 'secret' ? false : properties,
        lineItemProperties: () => false,
      },
    })
    const at = new Date(worldNow - 3_600_000).toISOString()
    await savePastOrders(store.payload, [
      ...ordersOfYear(2),
      { createdAt, customerEmail: null },
      { createdAt, customerEmail: 'not an email' },
      { createdAt, statusChanges: [{ ...entry, at }] },
      { createdAt, internalNotes: 'secret' },
      { createdAt, internalNotes: 'broken' },
    ])
    await world.start()
    expect(await world.runToEnd()).toMatchObject({ done: 7, passedOver: 5 })
    expect((await world.histories.latest())?.passedOverFor).toEqual({
      historyNoEmail: 2,
      historyRecent: 1,
      historyKeptBack: 1,
      historyUnreadable: 1,
    })
    const { docs } = await store.payload.find({ collection: 'marketing-histories' })
    expect((docs[0] as unknown as { passedOverFor: string }).passedOverFor.split('\n')).toEqual([
      'Without a valid email: 2',
      'From the last day, which the shop sends by itself: 1',
      'Kept back by the code of the store: 1',
      'Could not be read, the log says why: 1',
    ])
  })

  it('name the settings where all their events are switched off, and nothing else', async () => {
    const { builtInEvents } = defaultMarketingSettings
    const switches = { ...builtInEvents, placedOrder: false, orderedProduct: false }
    const world = historyWorld(store, { settings: { builtInEvents: switches } })
    await savePastOrders(store.payload, ordersOfYear(2))
    await world.start()
    expect(await world.runToEnd()).toMatchObject({
      passedOver: 2,
      passedOverFor: { historySwitchedOff: 2 },
    })
  })

  it('leave no reason where all are sent', async () => {
    const world = historyWorld(store)
    await savePastOrders(store.payload, ordersOfYear(2))
    await world.start()
    expect(await world.runToEnd()).toMatchObject({ passedOver: 0, passedOverFor: {} })
  })
})
