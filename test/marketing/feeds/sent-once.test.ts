import { beforeEach, describe, expect, it } from 'vitest'
import { marketingSettingsSlug } from '../../../src/marketing/settings/marketing-settings.js'
import { eventShop } from './event-shop.js'
import { aLine, anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { databaseKinds } from '../../support/store.js'

describe.each(databaseKinds)('A restarted feed sends nothing twice (%s)', (kind) => {
  const shop = eventShop(kind)
  beforeEach(() => shippedStatus('shipped'))
  const events = ['placedOrder', 'orderedProduct', 'statusChanged']
  const switched = (names: readonly string[], isOn: boolean) =>
    Object.fromEntries(names.map((name) => [name, isOn]))

  const marketing = (data: Record<string, unknown>) =>
    shop.payload.updateGlobal({ slug: marketingSettingsSlug, data })
  const shippedStatus = (statusHandle: string) =>
    shop.payload.updateGlobal({ slug: 'shipping-settings', data: { statusHandle } })
  const save = (changes: Record<string, unknown> = {}) => saveOrder(shop.payload, anOrder(changes))
  const names = async ({ number }: SavedOrder) =>
    (await shop.events(number)).map(({ name }) => name)

  /** What is sent about the order by a change without events, and by a restarted feed after it. */
  async function expectNothingNew(
    order: SavedOrder,
    change: () => Promise<unknown>,
  ): Promise<void> {
    const before = await names(order)
    await change()
    await shop.restartFeeds()
    expect(await names(order)).toEqual(before)
  }

  it("when an order's lines are saved without their rows' ids, or one is added", async () => {
    const order = await save({ items: [aLine(), aLine({ sku: 'CUP-1' })] })
    const items = [aLine(), aLine({ sku: 'CUP-1' }), aLine({ sku: 'POT-1' })]
    await expectNothingNew(order, () => shop.update('orders', order.id, { items }))
    expect(await names(order)).toEqual(['Placed Order', 'Ordered Product', 'Ordered Product'])
  })

  it('when lines are edited while Placed Order is switched off', async () => {
    await marketing({ builtInEvents: { placedOrder: false } })
    const order = await save()
    const items = [aLine(), aLine({ sku: 'POT-1' })]
    await expectNothingNew(order, () => shop.update('orders', order.id, { items }))
    expect(await names(order)).toEqual(['Ordered Product'])
  })

  it("when a status' event is called something else", async () => {
    const order = await save()
    await shop.update('orders', order.id, { status: 'completed' })
    await expectNothingNew(order, () =>
      marketing({ statusEvents: [{ status: 'completed', event: 'Finished Order' }] }),
    )
  })

  it('when another status is the shipped one', async () => {
    const order = await save()
    await shop.ship(order.reference, { carrier: 'UPS', service: '', tracking_number: 'S1' })
    await shop.update('orders', order.id, { status: 'completed' })
    expect((await names(order)).slice(-2)).toEqual(['Shipped Order', 'Completed Order'])
    await expectNothingNew(order, () => shippedStatus('processing'))
  })

  it.each([...events.map((event) => [event]), events])(
    'when %s is switched on: what happened while it was off is not sent',
    async (...off) => {
      await marketing({ builtInEvents: switched(off, false) })
      const order = await save()
      await shop.update('orders', order.id, { status: 'completed' })
      expect(await names(order)).toHaveLength(3 - off.length)
      await expectNothingNew(order, () => marketing({ builtInEvents: switched(off, true) }))
      await shop.update('orders', order.id, { status: 'cancelled' })
      expect((await names(order)).slice(3 - off.length)).toEqual(['Cancelled Order'])
    },
  )
})
