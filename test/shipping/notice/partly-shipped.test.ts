import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { beforeStatements } from '../../support/before-statements.js'
import { aMappedOrder, mappedAddress, mappedLine } from '../../support/mapped-order.js'
import { aLine, anOrder, overwriteOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import {
  anyKind,
  databaseKinds,
  joinStore,
  openStore,
  type TestStore,
} from '../../support/store.js'
import { notify, readShipment } from './stored-shipment.js'

const items = ['TEA-1', 'CUP-1'].map((sku) => aLine({ sku, name: sku, quantity: 1 }))

const documentOf = (sku: string) =>
  `<ShipNotice><Items><Item><SKU>${sku}</SKU><Quantity>1</Quantity></Item></Items></ShipNotice>`

const parcelOf = (order: SavedOrder, sku: string) =>
  [{ order_number: order.reference, tracking_number: sku }, { body: documentOf(sku) }] as const

const settings = { waitForAllItems: true }

describe('An order of two items that became incomplete after the export', () => {
  let store: TestStore
  let order: SavedOrder
  /** What the store's own code does. */
  let code: 'works' | 'vetoes' | 'throws' | 'does not map'

  beforeAll(async () => {
    store = await openStore(anyKind, {
      options: {
        orders: {
          map: (document) => {
            if (code === 'does not map') throw new Error('No map.')
            const { city } = document.shippingAddress as { city?: string | null }
            return aMappedOrder(document, {
              reference: String(document.reference),
              status: String(document.status),
              shippingAddress: { ...mappedAddress, city: city ?? '' },
              items: ['TEA-1', 'CUP-1'].map((sku) => ({ ...mappedLine, sku, name: sku })),
            })
          },
        },
        shipping: {
          settings,
          beforeExport: (exported) => {
            if (code === 'throws') throw new Error('No export.')
            return code === 'vetoes' ? false : exported
          },
        },
      },
    })
  })
  beforeEach(async () => {
    code = 'works'
    order = await saveOrder(store.payload, anOrder({ items }))
    await store.handle(exportRequest())
  })
  afterAll(() => store.close())

  const write = (data: Record<string, unknown>) => overwriteOrder(store.payload, order.id, data)
  const shipment = () => readShipment(store.payload, order.id)

  it.each<[string, () => unknown]>([
    ['lacks a city', () => write({ shippingAddress: { city: '' } })],
    ['is held back by beforeExport', () => (code = 'vetoes')],
    ['makes beforeExport throw', () => (code = 'throws')],
    [
      'lost its person',
      () => write({ personErased: 'anonymised', shippingAddress: { city: null } }),
    ],
  ])(
    'and %s: it is partly shipped with the first, and shipped with the second',
    async (_, become) => {
      await become()
      await notify(store, ...parcelOf(order, 'TEA-1'))
      expect(await shipment()).toMatchObject({
        status: 'processing',
        history: [{ itemsLeft: 1, statusAfter: 'processing' }],
      })
      await notify(store, ...parcelOf(order, 'CUP-1'))
      expect(await shipment()).toMatchObject({
        status: 'shipped',
        history: [{ itemsLeft: 1 }, { itemsLeft: 0, statusAfter: 'shipped' }],
      })
    },
  )

  it.each<[string, () => unknown, () => unknown]>([
    ['orders.map throws', () => (code = 'does not map'), () => (code = 'works')],
    [
      'its save was cut off',
      () => write({ savingSince: new Date(0).toISOString() }),
      () => write({ savingSince: null }),
    ],
  ])('and is not known, as %s: it is not all shipped', async (_, become, recover) => {
    await become()
    await notify(store, ...parcelOf(order, 'TEA-1'))
    expect(await shipment()).toMatchObject({ status: 'processing', history: [{ itemsLeft: null }] })
    await recover()
    await notify(store, ...parcelOf(order, 'CUP-1'))
    expect(await shipment()).toMatchObject({ status: 'shipped', history: [{}, { itemsLeft: 0 }] })
  })

  it('and is being saved: the notice waits for the save', async () => {
    await write({ savingSince: new Date().toISOString() })
    let isAnswered = false
    const answer = notify(store, ...parcelOf(order, 'TEA-1')).finally(() => (isAnswered = true))
    // The order's reader gives up after half a second.
    await store.handle(exportRequest())
    expect(isAnswered).toBe(false)
    await write({ savingSince: null })
    await answer
    expect(await shipment()).toMatchObject({ status: 'processing', history: [{ itemsLeft: 1 }] })
  })
})

describe.each(databaseKinds)('Two parcels at once at two processes (%s)', (kind) => {
  let store: TestStore
  let other: TestStore

  beforeAll(async () => {
    const options = { shipping: { settings } }
    store = await openStore(kind, { options })
    other = await joinStore(kind, store.url, { options })
  })
  afterAll(async () => {
    await other.close()
    await store.close()
  })

  it('count what the other has left, ship the order, and are recorded once', async () => {
    for (let round = 0; round < 8; round++) {
      const order = await saveOrder(store.payload, anOrder({ items }))
      const answers = await Promise.all([
        store.handle(noticeRequest(...parcelOf(order, 'TEA-1'))),
        other.handle(noticeRequest(...parcelOf(order, 'CUP-1'))),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(await readShipment(store.payload, order.id)).toMatchObject({
        status: 'shipped',
        history: [
          { itemsLeft: 1, statusAfter: 'processing', repeats: 0 },
          { itemsLeft: 0, statusAfter: 'shipped', repeats: 0 },
        ],
      })
    }
  })

  // On PostgreSQL the second notice waits until the first is stored.
  it.runIf(kind === 'sqlite')(
    'count it too when it comes between what a notice has read and what it writes',
    async () => {
      const order = await saveOrder(store.payload, anOrder({ items }))
      const notices: Promise<Response>[] = []
      const end = beforeStatements(store.payload, async (statement) => {
        const isWritten = /into\W+shipping_notices\b/.test(JSON.stringify(statement))
        if (!isWritten || notices.length > 0) return
        notices.push(other.handle(noticeRequest(...parcelOf(order, 'CUP-1'))))
        await Promise.all(notices)
      })
      onTestFinished(end)
      await notify(store, ...parcelOf(order, 'TEA-1'))
      const answers = await Promise.all(notices)
      expect(answers.map(({ status }) => status)).toEqual([200])
      expect(await readShipment(store.payload, order.id)).toMatchObject({
        status: 'shipped',
        history: [
          { trackingNumber: 'CUP-1', itemsLeft: 1, statusAfter: 'processing', repeats: 0 },
          { trackingNumber: 'TEA-1', itemsLeft: 0, statusAfter: 'shipped', repeats: 0 },
        ],
      })
    },
  )
})
