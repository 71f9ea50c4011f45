import { afterEach, describe, expect, it } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.js'
import { demoApiKey } from '../../dev/klaviyo/stand-in.js'
import { partsOf } from '../../src/installation.js'
import { anEvent } from '../support/new-sends.js'
import { anAddress, anOrder, saveOrder } from '../support/orders.js'
import { exportRequest } from '../support/shipping-requests.js'
import { databaseKinds } from '../support/store.js'
import { only, openAlertWorld, type AlertWorld } from './alert-world.js'

const hour = 60

describe.each(databaseKinds)('An alert that is over (%s)', (kind) => {
  let world: AlertWorld
  let klaviyo: ServedStandIn | undefined
  afterEach(async () => {
    await world.close()
    await klaviyo?.close()
    klaviyo = undefined
  })

  const open = async (settings: Parameters<typeof openAlertWorld>[1] = {}) => {
    world = await openAlertWorld(kind, {
      ...settings,
      settings: { digest: false, ...settings.settings },
    })
  }
  const subjects = () => world.mails.map(({ subject }) => subject)
  const types = () => world.posted.map(({ body }) => (JSON.parse(body) as { type: string }).type)
  const openNow = async () =>
    (await partsOf(world.store.payload).alerts.state()).open.map(({ condition }) => condition)
  const pull = () => world.store.handle(exportRequest())
  /** Saved by the clock of the world: the database of SQLite knows no time but its own. */
  const save = (order: Record<string, unknown> = {}) =>
    saveOrder(world.store.payload, anOrder({ updatedAt: new Date().toISOString(), ...order }))

  /** A paid order waits, and ShipStation has not asked for 13 hours. */
  const stopPulling = async () => {
    await pull()
    await world.pass(1)
    const saved = await save()
    await world.pass(13 * hour, hour)
    expect(subjects()).toEqual([expect.stringMatching(/^ShipStation asks for no orders/)])
    return saved
  }

  it.each([
    ['the hours are raised', { noPullHours: 48 }],
    ['the order no longer has a status of the settings', { paidStatuses: ['completed'] }],
    ['the condition is switched off', { noPull: false }],
  ])('is not told when %s', async (_, settings) => {
    await open({ settings: only('noPull') })
    await stopPulling()
    await world.saveSettings(settings)
    await world.pass(3 * hour, hour)
    expect(await openNow()).toEqual([])
    expect([subjects().length, types()]).toEqual([1, ['alert.begun']])
  })

  it('is not told when the username of ShipStation is taken away', async () => {
    await open({ settings: only('noPull', 'unshipped') })
    await stopPulling()
    await world.store.payload.updateGlobal({ slug: 'shipping-settings', data: { username: '' } })
    await world.pass(3 * hour, hour)
    expect(await openNow()).toEqual([])
    expect(subjects()).toHaveLength(1)
  })

  it('begins again when the time of the new settings has passed', async () => {
    await open({ settings: only('noPull') })
    await stopPulling()
    await world.saveSettings({ noPullHours: 48 })
    await world.pass(36 * hour, hour)
    expect(types()).toEqual(['alert.begun', 'alert.begun'])
  })

  it('says that ShipStation asked, and when, also when the settings were changed meanwhile', async () => {
    await open({ settings: only('noPull') })
    await stopPulling()
    await world.saveSettings({ noPullHours: 13 })
    await pull()
    await world.pass(3)
    // Noon, a minute, and thirteen hours.
    expect(subjects().slice(1)).toEqual([
      'ShipStation asked for orders: Nov 24, 2026, 1:01 AM (UTC).',
    ])
  })

  it('says that no order waits, and not that ShipStation asked, when the order is cancelled', async () => {
    await open({ settings: only('noPull') })
    const { id } = await stopPulling()
    const data = { status: 'cancelled' }
    await world.store.payload.update({ collection: 'orders', id, data })
    await world.pass(3)
    expect(subjects().slice(1)).toEqual([
      'No paid order of the last 30 days waits for ShipStation any more.',
    ])
  })

  describe('of a refused key', () => {
    const store = () =>
      partsOf(world.store.payload).outbox.store([anEvent('1', { acceptedAt: new Date() })])
    const refuse = async () => {
      klaviyo = await serveKlaviyoStandIn({ port: 0 })
      await open({
        settings: only('keyRefused', 'sendsWaiting'),
        options: {
          marketing: { apiUrl: klaviyo.origin, settings: { privateApiKey: 'pk_wrong' } },
        },
      })
      await store()
      await world.pass(2 * hour, 30)
      expect(subjects()).toEqual(['Klaviyo refuses the API key, so sends wait. Nothing is lost.'])
    }
    const saveKey = (privateApiKey: string) =>
      world.store.payload.updateGlobal({ slug: 'marketing-settings', data: { privateApiKey } })

    it('is told when another key has been accepted, and not before', async () => {
      await refuse()
      const { payload } = world.store
      await payload.db.deleteMany({ collection: 'marketing-sends', where: {} })
      await saveKey(demoApiKey)
      await world.pass(10)
      expect(subjects()).toHaveLength(1)
      await store()
      await world.pass(2)
      expect(subjects().slice(1)).toEqual(['Klaviyo accepts the API key again.'])
    })

    it('is not told when the key is removed', async () => {
      await refuse()
      await saveKey('')
      await world.pass(3 * hour, hour)
      expect(await openNow()).toEqual([])
      expect(subjects()).toHaveLength(1)
    })
  })

  describe('whose beginning did not arrive', () => {
    const skipOrder = async () => {
      const { id } = await save({ shippingAddress: anAddress({ city: '' }) })
      await pull()
      return async () => {
        const data = { shippingAddress: anAddress() }
        await world.store.payload.update({ collection: 'orders', id, data })
        await pull()
      }
    }

    it('is told to no channel that was given up', async () => {
      await open({ settings: only('ordersSkipped') })
      world.mailer.send = () => Promise.reject(new Error('No such mailbox'))
      const mend = await skipOrder()
      await world.pass(26 * hour, hour)
      world.mailer.send = () => Promise.resolve()
      await mend()
      await world.pass(2 * hour, 30)
      expect(subjects()).toEqual([])
      expect(types()).toEqual(['alert.begun', 'alert.ended'])
    })

    it('is not told when the beginning is given up while the end waits behind it', async () => {
      await open({ settings: only('ordersSkipped') })
      world.mailer.send = () => Promise.reject(new Error('No such mailbox'))
      const mend = await skipOrder()
      await world.pass(20 * hour, hour)
      await mend()
      await world.pass(8 * hour, hour)
      world.mailer.send = () => Promise.resolve()
      await world.pass(3 * hour, hour)
      expect(subjects()).toEqual([])
      expect(types()).toEqual(['alert.begun', 'alert.ended'])
    })

    it('is not told to a channel that was added since', async () => {
      await open({ settings: { ...only('ordersSkipped'), recipients: [] } })
      const mend = await skipOrder()
      await world.pass(2 * hour, hour)
      await world.saveSettings({ recipients: ['merchant@shop.example'] })
      await mend()
      await world.pass(2 * hour, hour)
      expect(subjects()).toEqual([])
      expect(types()).toEqual(['alert.begun', 'alert.ended'])
    })
  })
})
    const begun = 'ShipStation does not get 1 order, because it is not complete.'
    const over = 'No incomplete order is skipped any more.'
    const reminder = 'Storeconnect: 1 alert is still open'

    it('is told to who heard of it by the reminder of the day', async () => {
      await open({ settings: { ...only('ordersSkipped'), digest: true } })
      world.mailer.send = () => Promise.reject(new Error('No such mailbox'))
      const mend = await skipOrder()
      await world.pass(26 * hour, hour)
      world.mailer.send = () => Promise.resolve()
      await world.pass(1)
      expect(subjects()).toEqual([reminder])
      await mend()
      await world.pass(2 * hour, 30)
      expect(subjects()).toEqual([reminder, over])
    })

    it('is told to a channel that was added since and got a reminder', async () => {
      await open({ settings: { ...only('ordersSkipped'), digest: true, recipients: [] } })
      const mend = await skipOrder()
      await world.pass(2 * hour, hour)
      await world.saveSettings({ recipients: ['merchant@shop.example'] })
      await world.pass(20 * hour, hour)
      await mend()
      await world.pass(2 * hour, hour)
      expect(subjects()).toEqual([reminder, over])
    })

    it('is told to who heard of it first, though a later message was given up', async () => {
      await open({ settings: only('ordersSkipped') })
      const mend = await skipOrder()
      await world.pass(1)
      await mend()
      await world.pass(1)
      const mendAgain = await skipOrder()
      await world.pass(1)
      world.mailer.send = () => Promise.reject(new Error('No such mailbox'))
      await world.pass(27 * hour, hour)
      world.mailer.send = () => Promise.resolve()
      await mendAgain()
      await world.pass(2 * hour, 30)
      expect(subjects()).toEqual([begun, over])
      expect(types()).toEqual(['alert.begun', 'alert.repeated', 'alert.ended'])
    })

    it('is not told again to who heard that it was over and missed that it came back', async () => {
      await open({ settings: only('ordersSkipped') })
      const mend = await skipOrder()
      await world.pass(1)
      await mend()
      await world.pass(65, 5)
      const mendAgain = await skipOrder()
      world.mailer.send = () => Promise.reject(new Error('No such mailbox'))
      await world.pass(27 * hour, hour)
      world.mailer.send = () => Promise.resolve()
      await mendAgain()
      await world.pass(2 * hour, 30)
      expect(subjects()).toEqual([begun, over])
      expect(types()).toEqual(['alert.begun', 'alert.ended', 'alert.begun', 'alert.ended'])
    })

