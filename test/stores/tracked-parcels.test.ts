import { describe, expect, it, onTestFinished } from 'vitest'
import { noticesSlug } from '../../src/shipping/notice/notice-collection.js'
import { catchUpFeeds } from '../support/catch-up-feeds.js'
import { anOrder, saveOrder } from '../support/orders.js'
import { noticeRequest } from '../support/shipping-requests.js'
import { storeConfig, type DatabaseKind, type StoreSetup } from '../support/store-config.js'
import { databaseKinds, openShapedStore, type TestStore } from '../support/store.js'
import { readSends } from '../support/stored-sends.js'
import { aTrackEvent, shipStationSigner } from '../support/tracking-webhooks.js'
import { openVersionedStore } from '../support/versioned-store.js'
import { openUuidStore } from './uuid-store.js'

type Setup = Required<Pick<StoreSetup, 'options' | 'effects'>>

interface Shape {
  shape: string
  open: (kind: DatabaseKind, setup: Setup) => Promise<TestStore>
  hasKlaviyo?: false
  order?: Record<string, unknown>
}

const shapes: Shape[] = [
  { shape: 'whose ids are uuids', open: openUuidStore },
  {
    shape: 'with drafts of orders',
    open: (kind, setup) => openVersionedStore(kind, { drafts: true }, setup),
    order: { _status: 'published' },
  },
  {
    shape: 'without Klaviyo',
    open: (kind, { options, effects }) =>
      openShapedStore(kind, (of, url) =>
        storeConfig({ kind: of, url, effects, options: { ...options, marketing: false } }),
      ),
    hasKlaviyo: false,
  },
]

describe.each(databaseKinds)('A parcel on its way (%s)', (kind) => {
  it.each(shapes)('is followed in a store $shape', async ({ open, order, hasKlaviyo = true }) => {
    const shipStation = shipStationSigner(Date.now)
    const store = await open(kind, {
      options: { shipping: { settings: { trackingUpdates: true } } },
      effects: {
        fetch: (...request) =>
          shipStation.answerTo(new Request(...request)) ?? Promise.reject(new Error('No network')),
      },
    })
    onTestFinished(() => store.close())
    const { payload, handle } = store
    const saved = await saveOrder(payload, anOrder(order))
    const tracking = { carrier: 'UPS', tracking_number: '1Z999AA1' }
    const notice = noticeRequest({ order_number: saved.reference, ...tracking })
    expect((await handle(notice)).status).toBe(200)
    const read = () => payload.findByID({ collection: 'orders', id: saved.id, depth: 0 })
    const shipped = await read()
    for (const status_code of ['DE', 'IT', 'DE']) {
      const occurred_at = status_code === 'DE' ? '2026-11-02T10:00:00Z' : '2026-11-02T08:00:00Z'
      const webhook = shipStation.webhook(aTrackEvent({ status_code, occurred_at }))
      expect((await handle(webhook)).status).toBe(200)
    }

    const { docs } = await payload.find({ collection: noticesSlug, depth: 0 })
    expect(docs).toMatchObject([
      {
        state: 'delivered',
        movedAt: '2026-11-02T10:00:00.000Z',
        states: [{ state: 'in-transit' }, { state: 'delivered' }],
      },
    ])
    expect(await read()).toEqual(shipped)
    if (!hasKlaviyo) return
    await catchUpFeeds(payload)
    const told = (await readSends(store)).flatMap(({ message }) =>
      message.kind === 'event' && message.event.name.startsWith('Shipment ')
        ? [message.event.name]
        : [],
    )
    expect(told).toEqual(['Shipment In Transit', 'Shipment Delivered'])
  })
})
