import { afterEach, describe, expect, it } from 'vitest'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.js'
import type { StoredAlertSettings } from '../../../src/merchant/alerts/alert-settings.js'
import type { Condition } from '../../../src/merchant/alerts/conditions.js'
import { anEvent } from '../../support/new-sends.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { basic, exportRequest } from '../../support/shipping-requests.js'
import { anyKind } from '../../support/store.js'
import { only, openAlertWorld, type AlertWorld } from './alert-world.js'

const hour = 60

describe('An alert that is over', () => {
  let world: AlertWorld
  afterEach(() => world.close())

  const open = async (settings: Parameters<typeof openAlertWorld>[1] = {}) => {
    world = await openAlertWorld(anyKind, {
      ...settings,
      settings: { digest: false, ...settings.settings },
    })
  }
  const subjects = () => world.mails.map(({ subject }) => subject)
  const types = () => world.posted.map(({ body }) => (JSON.parse(body) as { type: string }).type)
  const openNow = async () =>
    (await world.parts.alerts.state()).open.map(({ condition }) => condition)
  const pull = () => world.handle(exportRequest())
  /** Saved by the clock of the world: the database of SQLite knows no time but its own. */
  const save = (order: Record<string, unknown> = {}) =>
    saveOrder(world.payload, anOrder({ updatedAt: new Date().toISOString(), ...order }))

  /** A paid order waits, and ShipStation has not asked for 13 hours. */
  const stopPulling = async () => {
    await pull()
    await world.pass(1)
    const saved = await save()
    await world.pass(13 * hour, hour)
    expect(subjects()).toEqual([expect.stringMatching(/^ShipStation asks for no orders/)])
    return saved
  }

  const storeSend = () => world.parts.outbox.store([anEvent('1', { acceptedAt: new Date() })])
  const openWithKey = async (
    privateApiKey: string,
    settings: Partial<StoredAlertSettings>,
  ): Promise<void> => {
    await open({ settings, options: { marketing: { settings: { privateApiKey } } } })
  }

  /** A world in which a condition has begun, on a Friday evening. */
  const beginnings = {
    async noPull() {
      await open({ settings: only('noPull') })
      world.moveTo('2026-11-27T18:00:00Z')
      await stopPulling()
    },
    async unshipped() {
      await open({ settings: only('unshipped') })
      world.moveTo('2026-11-27T18:00:00Z')
      await save()
      await world.pass(80 * hour, 40 * hour)
    },
    async credentialsRefused() {
      await open({ settings: only('credentialsRefused') })
      await pull()
      await world.pass(61, 61)
      const headers = { authorization: basic('ship', 'of yesterday') }
      expect((await world.handle(exportRequest({}, { headers }))).status).toBe(401)
      await world.pass(1)
    },
    async sendsWaiting() {
      await openWithKey(demoApiKey, only('sendsWaiting'))
      await storeSend()
      // As after calls that failed.
      const data = { attempts: 5, nextAttemptAt: '2027-01-01T00:00:00.000Z' }
      const { db } = world.payload
      await db.updateMany({ collection: 'marketing-sends', where: {}, data })
      await world.pass(40, 10)
    },
  } satisfies Partial<Record<Condition, () => Promise<void>>>

  it.each<[string, keyof typeof beginnings, Partial<StoredAlertSettings>]>([
    ['the hours are raised', 'noPull', { noPullHours: 48 }],
    ['the order has no status of the settings any more', 'noPull', { paidStatuses: ['completed'] }],
    ['the condition is switched off', 'noPull', { noPull: false }],
    ['the hours pass on business days only', 'noPull', { businessDays: true }],
    ['the hours are raised', 'unshipped', { unshippedHours: 200 }],
    ['the hours pass on business days only', 'unshipped', { businessDays: true }],
    ['the minutes are raised', 'credentialsRefused', { credentialsRefusedMinutes: 600 }],
    ['the minutes are raised', 'sendsWaiting', { sendsWaitingMinutes: 600 }],
  ])('is not told when %s: %s', async (_, condition, settings) => {
    await beginnings[condition]()
    expect(await openNow()).toEqual([condition])
    await world.saveSettings(settings)
    await world.pass(3 * hour, hour)
    expect(await openNow()).toEqual([])
    expect([subjects().length, types()]).toEqual([1, ['alert.begun']])
  })

  it('is not told when the username of ShipStation is taken away', async () => {
    await open({ settings: only('noPull', 'unshipped') })
    await stopPulling()
    await world.pass(60 * hour, 12 * hour)
    expect(await openNow()).toEqual(['noPull', 'unshipped'])
    await world.payload.updateGlobal({ slug: 'shipping-settings', data: { username: '' } })
    await world.pass(3 * hour, hour)
    expect(await openNow()).toEqual([])
    expect(types()).toEqual(['alert.begun', 'alert.begun'])
  })

  it('is not told when the business days are those of another time zone', async () => {
    await open({
      settings: { ...only('unshipped'), businessDays: true },
      options: { timezone: 'Europe/Berlin' },
    })
    world.moveTo('2026-11-28T12:00:00Z')
    await save()
    // Three days after the Monday of Berlin began, and not yet after that of Honolulu.
    await world.pass(108 * hour, 12 * hour)
    expect(await openNow()).toEqual(['unshipped'])
    const moved = await world.join({ options: { timezone: 'Pacific/Honolulu' } })
    for (let rounds = 0; rounds < 2; rounds++) {
      world.move(hour * 60_000)
      await world.runTask(moved)
    }
    expect(await openNow()).toEqual([])
    expect(types()).toEqual(['alert.begun'])
  })

  it.each<[string, Partial<StoredAlertSettings>, Partial<StoredAlertSettings>]>([
    ['raised', { noPullHours: 48 }, { noPullHours: 12 }],
    ['switched off', { noPull: false }, { noPull: true }],
  ])('does not begin anew when it is %s for some minutes', async (_, changed, before) => {
    await beginnings.noPull()
    await world.saveSettings(changed)
    await world.pass(2)
    expect(await openNow()).toEqual([])
    await world.saveSettings(before)
    await world.pass(3)
    expect(await openNow()).toEqual(['noPull'])
    await world.pass(3 * hour, hour)
    expect(types()).toEqual(['alert.begun'])
    await pull()
    await world.pass(1)
    expect(types()).toEqual(['alert.begun', 'alert.ended'])
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
    await world.payload.update({ collection: 'orders', id, data })
    await world.pass(3)
    expect(subjects().slice(1)).toEqual([
      'No paid order of the last 30 days waits for ShipStation any more.',
    ])
  })

  describe('of a refused key', () => {
    const refuse = async () => {
      await openWithKey('pk_wrong', only('keyRefused', 'sendsWaiting'))
      await storeSend()
      await world.pass(2 * hour, 30)
      expect(subjects()).toEqual([
        'Klaviyo refuses the API key, so messages wait. Nothing is lost.',
      ])
    }
    const saveKey = (privateApiKey: string) =>
      world.payload.updateGlobal({ slug: 'marketing-settings', data: { privateApiKey } })

    it('is told when another key has been accepted, and not before', async () => {
      await refuse()
      const { payload } = world
      await payload.db.deleteMany({ collection: 'marketing-sends', where: {} })
      await saveKey(demoApiKey)
      await world.pass(10)
      expect(subjects()).toHaveLength(1)
      await storeSend()
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
        await world.payload.update({ collection: 'orders', id, data })
        await pull()
      }
    }

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

    it('is told to a channel that was added since if it got a reminder', async () => {
      for (const hours of [2, 20]) {
        if (hours > 2) await world.close()
        await open({ settings: { ...only('ordersSkipped'), digest: true, recipients: [] } })
        const mend = await skipOrder()
        await world.pass(2 * hour, hour)
        await world.saveSettings({ recipients: ['merchant@shop.example'] })
        await world.pass((hours - 2) * hour, hour)
        await mend()
        await world.pass(2 * hour, hour)
        expect(subjects()).toEqual(hours > 2 ? [reminder, over] : [])
      }
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
  })
})
