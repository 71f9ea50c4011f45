import { afterEach, describe, expect, it } from 'vitest'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { anyKind } from '../../support/store.js'
import { only, openAlertWorld, type AlertWorld } from './alert-world.js'

describe('A condition that comes and goes', () => {
  let world: AlertWorld
  afterEach(() => world.close())

  const subjects = () => world.mails.map(({ subject }) => subject)
  const posts = () =>
    world.posted.map(({ body }) => JSON.parse(body) as { type: string; data: object })
  const begun = 'ShipStation does not get 1 order, because it is not complete.'
  const over = 'No incomplete order is skipped any more.'

  /** An incomplete order, which is completed and spoiled in turn. */
  const open = async () => {
    world = await openAlertWorld(anyKind, { settings: { ...only('ordersSkipped'), digest: false } })
    const { payload, handle } = world
    const { id } = await saveOrder(payload, anOrder({ shippingAddress: anAddress({ city: '' }) }))
    await handle(exportRequest())
    const write = async (city: string) => {
      const updatedAt = new Date().toISOString()
      const data = { shippingAddress: anAddress({ city }), updatedAt }
      await payload.db.updateOne({ collection: 'orders', id, data })
      await handle(exportRequest())
    }
    return { spoil: () => write(''), complete: () => write('Hamburg') }
  }

  it('is told once when it begins, and then once an hour at most, with how often', async () => {
    const { spoil, complete } = await open()
    await world.pass(1)
    for (let minute = 0; minute < 10; minute += 2) {
      await complete()
      await world.pass(1)
      await spoil()
      await world.pass(1)
    }
    expect(subjects()).toEqual([begun])
    await world.pass(48, 12)
    expect(subjects()).toEqual([begun])

    await world.pass(4)
    expect(subjects()).toEqual([begun, begun])
    expect(world.mails[1]?.text).toContain(
      'It came back 5 times since Nov 23, 2026, 12:01 PM (UTC).',
    )
    expect(posts().map(({ type, data }) => [type, data])).toEqual([
      ['alert.begun', expect.objectContaining({ condition: 'ordersSkipped' })],
      ['alert.repeated', expect.objectContaining({ condition: 'ordersSkipped', returned: 5 })],
    ])

    // It holds, and there is no more to say.
    await world.pass(4 * 60, 20)
    expect(subjects()).toHaveLength(2)
    await complete()
    await world.pass(1)
    expect(subjects()).toEqual([begun, begun, over])
    expect(world.mails[2]?.text).not.toContain('came back')
  })

  it('is told as over within an hour, once, and begins anew after an hour of quiet', async () => {
    const { spoil, complete } = await open()
    await world.pass(1)
    await complete()
    await world.pass(40, 5)
    expect(subjects()).toEqual([begun])
    await world.pass(25, 5)
    expect(subjects()).toEqual([begun, over])
    await world.pass(120, 10)
    await spoil()
    await world.pass(1)
    expect(subjects()).toEqual([begun, over, begun])
  })
})
