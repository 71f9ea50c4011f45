import { afterEach, describe, expect, it, vi } from 'vitest'
import { serveKlaviyoStandIn } from '../../../dev/klaviyo/serve-stand-in.js'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.js'
import { partsOf } from '../../support/parts.js'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { anEvent } from '../../support/new-sends.js'
import { storeSettings } from '../../support/exported-orders.js'
import { settleSends } from '../../support/settle-sends.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'

describe('The states of both platforms', () => {
  let store: TestStore
  afterEach(async () => {
    vi.useRealTimers()
    await store.close()
  })

  const open = async (options: StoreConnectOptions = {}) => {
    store = await openStore(anyKind, { options })
  }
  const facts = () => partsOf(store.payload).overview.facts()
  /** The state of a platform, and what is open of it. */
  const stateOf = async (platform: 'ShipStation' | 'Klaviyo') => {
    const { open, states } = await partsOf(store.payload).alerts.matters()
    const matters = open.filter(({ row }) => row.of === platform)
    return [
      states[platform],
      ...matters.flatMap(({ row, facts }) => facts.text ?? ('text' in row ? row.text : [])),
    ]
  }
  const shipping = () => stateOf('ShipStation')
  const marketing = () => stateOf('Klaviyo')
  const pull = async () => (await store.handle(exportRequest())).status
  const saveSettings = (data: object) =>
    store.payload.updateGlobal({ slug: 'shipping-settings', data })
  const saveAddress = (id: number | string, city: string) =>
    store.payload.update({
      collection: 'orders',
      id,
      data: { shippingAddress: anAddress({ city }) },
    })
  const anIncompleteOrder = () =>
    saveOrder(store.payload, anOrder({ shippingAddress: anAddress({ city: '' }) }))

  it('are mended with the status that a notice failed for, not with the next notice', async () => {
    await open({ shipping: { settings: { statusHandle: 'teleported' } } })
    const { reference } = await saveOrder(store.payload)
    await pull()
    expect((await store.handle(noticeRequest({ order_number: reference }))).status).toBe(500)
    expect(await shipping()).toEqual(['needs-you', 'problemShippedStatus'])
    await saveSettings({ statusHandle: 'shipped' })
    expect(await shipping()).toEqual(['works'])
  })

  it('show a wrong setting before anything has failed for it', async () => {
    await open()
    expect(await shipping()).toEqual(['not-used-yet', 'problemNeverPulled'])
    await pull()
    expect(await shipping()).toEqual(['works'])
    for (const [data, problem] of [
      [{ matrixField: 'nowhere' }, 'problemTrackingField'],
      [{ matrixField: '' }, 'problemBlankName'],
    ] as const) {
      await storeSettings(store.payload, data)
      expect(await shipping()).toEqual(['needs-you', problem])
    }
  })

  it('show the last pull once the clock was set back by an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-10T15:00:00Z') })
    await open()
    await pull()
    const setBack = new Date('2026-03-10T14:00:00Z')
    vi.setSystemTime(setBack)
    await pull()
    expect((await facts()).shipping.lastPull?.at).toEqual(setBack)
  })

  it('show a skipped order until it is mended, not until the next pull', async () => {
    await open()
    const { id } = await anIncompleteOrder()
    expect(await pull()).toBe(200)
    expect(await shipping()).toEqual(['needs-you', 'alertOrdersSkipped'])
    expect((await facts()).shipping.skipped).toMatchObject({
      count: 1,
      firstAt: expect.any(Date) as Date,
    })

    await saveAddress(id, ' ')
    expect(await shipping()).toEqual(['needs-you', 'alertOrdersSkipped'])
    await saveAddress(id, 'London')
    expect(await shipping()).toEqual(['works'])
  })

  it('keep a failed pull and a failed notice apart, and show an export that one order fails until that is mended', async () => {
    await open({ shipping: { settings: { failOnInvalidOrder: true, statusHandle: 'teleported' } } })
    await pull()
    const { id, reference } = await anIncompleteOrder()
    expect(await pull()).toBe(500)
    await store.handle(noticeRequest({ order_number: reference }))
    const { failures } = (await facts()).shipping
    expect(failures.map(({ action }) => action)).toEqual(['export', 'shipnotify'])
    await saveSettings({ statusHandle: 'shipped' })
    expect(await shipping()).toEqual(['needs-you', 'alertOrdersSkipped', 'problemOrderNotValid'])
    await saveAddress(id, 'London')
    expect(await shipping()).toEqual(['works'])
  })

  it('need nobody for an order that the store itself keeps back', async () => {
    await open({ shipping: { beforeExport: () => false } })
    await saveOrder(store.payload)
    await pull()
    expect(await shipping()).toEqual(['works'])
    const { newestSkipped } = await partsOf(store.payload).overview.details()
    expect(newestSkipped).toMatchObject([{ isFailure: false }])
  })

  it('show what a test of the key said, as long as that key is in use', async () => {
    const klaviyo = await serveKlaviyoStandIn({ port: 0 })
    try {
      const settings = { privateApiKey: demoApiKey }
      await open({ marketing: { apiUrl: klaviyo.origin, settings } })
      const test = (apiKey: string) =>
        partsOf(store.payload).klaviyo.checkAccount({
          apiKey,
          signal: new AbortController().signal,
        })
      expect(await marketing()).toEqual(['not-used-yet', 'problemUntried'])
      await test(demoApiKey)
      expect(await marketing()).toEqual(['works'])
      await test('another-key')
      expect(await marketing()).toEqual(['not-used-yet', 'problemUntried'])
    } finally {
      await klaviyo.close()
    }
  })

  it('show sends that failed until they are resent', async () => {
    await open({ marketing: { settings: { privateApiKey: demoApiKey } } })
    const { failures } = partsOf(store.payload)
    await settleSends(store.payload, [anEvent('a')], { code: 'invalid', detail: 'Not taken.' })
    expect(await marketing()).toContain('alertSendsFailed')
    await failures.resend({ reason: 'invalid' })
    expect(await marketing()).not.toContain('alertSendsFailed')
  })
})
