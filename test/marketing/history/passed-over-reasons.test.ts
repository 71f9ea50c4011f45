import { describe, expect, it } from 'vitest'
import { defaultSwitches } from '../../../src/marketing/events/event-table.js'
import { marketingSettingsSlug } from '../../../src/marketing/settings/marketing-settings.js'
import { ordersOfYear, savePastOrders } from '../../support/past-orders.js'
import { anyKind } from '../../support/store.js'
import { anOrder } from '../../unit/marketing/feeds/events.js'
import { historyWorld } from './history-world.js'

const entry = { status: 'processing', count: 1, placed: true }
const createdAt = '2025-06-01T00:00:00.000Z'

describe('Past orders that are passed over', () => {
  const world = historyWorld(anyKind, {
    orders: {
      map({ id, ...document }) {
        const { customerEmail, internalNotes } = document as Record<string, unknown>
        if (internalNotes === 'broken') throw new Error('Not mappable')
        const email = String(customerEmail ?? '')
        return { ...anOrder(), id, email, internalNotes: String(internalNotes ?? '') }
      },
    },
  })

  it('are counted by the reasons that apply, over all pages of a run', async () => {
    world.hooks.orderProperties = (properties, about) =>
      about.kind === 'order' && about.order.internalNotes === 'secret' ? false : properties
    world.hooks.lineItemProperties = () => false
    const at = new Date(world.now() - 3_600_000).toISOString()
    const passedOver = [
      { createdAt, customerEmail: null },
      { createdAt, customerEmail: 'not an email' },
      { createdAt, statusChanges: [{ ...entry, at }] },
      { createdAt, internalNotes: 'secret' },
      { createdAt, internalNotes: 'broken' },
    ]
    // Those of the second page, too.
    const last = passedOver.map((order) => ({ ...order, createdAt: '2025-12-30T00:00:00.000Z' }))
    await savePastOrders(world.payload, [...ordersOfYear(100), ...passedOver, ...last])
    expect(await world.run()).toMatchObject({ done: 110, passedOver: 10 })
    expect((await world.parts.histories.latest())?.passedOverFor).toEqual({
      historyNoEmail: 4,
      historyRecent: 2,
      historyKeptBack: 2,
      historyUnreadable: 2,
    })
    const { docs } = await world.payload.find({ collection: 'marketing-histories' })
    expect((docs[0] as unknown as { passedOverFor: string }).passedOverFor.split('\n')).toEqual([
      'Without a valid email: 4',
      'From the last day, which the shop sends by itself: 2',
      'Kept back by the code of the store: 2',
      'Could not be read, the log says why: 2',
    ])
  })

  it('leave no reason where all are sent, and the settings alone where these switch them off', async () => {
    const save = (builtInEvents: object) =>
      world.payload.updateGlobal({ slug: marketingSettingsSlug, data: { builtInEvents } })
    await savePastOrders(world.payload, ordersOfYear(2))
    await save({ ...defaultSwitches, placedOrder: false, orderedProduct: false })
    const passedOverFor = { historySwitchedOff: 2 }
    expect(await world.run()).toMatchObject({ passedOver: 2, passedOverFor })
    await save(defaultSwitches)
    expect(await world.run()).toMatchObject({ passedOver: 0, passedOverFor: {} })
  })
})
