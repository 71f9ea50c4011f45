import type { CollectionAfterChangeHook } from 'payload'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { captureLog } from '../../support/captured-log.js'
import { saveOrder, type SavedOrder } from '../../support/orders.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'
import { entryOfDocument, shipNotice } from './ship-notice-document.js'
import { entry, errorLines, notify, parcel, readOrder, readShipment } from './stored-shipment.js'

type Hook = CollectionAfterChangeHook

describe.each(databaseKinds)(
  "the collection's afterChange hooks run after shipnotify (%s)",
  (kind) => {
    const log = captureLog()
    /** Those of the store's orders. A test sets them once its order is saved. */
    let hooks: Hook[] = []
    let store: TestStore
    let order: SavedOrder
    beforeAll(async () => {
      const afterChange = [0, 1].map(
        (place): Hook =>
          (call): unknown =>
            hooks[place]?.(call),
      )
      store = await openStore(kind, { config: log.config, orderHooks: { afterChange } })
    })
    beforeEach(async () => {
      hooks = []
      order = await saveOrder(store.payload)
      log.clear()
    })
    afterAll(() => store.close())

    const send = () => store.handle(noticeRequest({ order_number: order.reference, ...parcel }))
    const shipment = () => readShipment(store.payload, order.id)
    const stored = { status: 'shipped', entries: [entry], history: [entry] }

    it('once, with the order as it was and as it is', async () => {
      const { id, reference } = order
      const { updatedAt } = await readOrder(store.payload, id)
      const calls: { operation: string; doc: unknown; previousDoc: unknown }[] = []
      hooks = [
        ({ operation, doc, previousDoc }) => {
          // A copy, so that later changes of the documents do not show in it.
          calls.push(structuredClone({ operation, doc, previousDoc } as (typeof calls)[number]))
        },
      ]
      expect((await send()).status).toBe(200)
      expect(calls).toEqual([
        {
          operation: 'update',
          previousDoc: expect.objectContaining({
            ...{ id, reference, status: 'processing', tracking: [], updatedAt },
          }) as unknown,
          doc: expect.objectContaining({
            ...{ id, reference, status: 'shipped', tracking: [expect.objectContaining(entry)] },
            updatedAt: (await readOrder(store.payload, id)).updatedAt,
          }) as unknown,
        },
      ])
    })

    it('with what ShipStation says of the parcel', async () => {
      const shipments: unknown[] = []
      hooks = [({ req }) => void shipments.push(req.context.shipment)]
      const { reference } = await saveOrder(store.payload)
      const body = shipNotice({ CustomField2: 'B' }, [{ LineItemID: '7', SKU: 'T', Quantity: '1' }])
      await notify(store, { order_number: reference }, { body })
      expect(shipments).toEqual([
        undefined,
        {
          ...entryOfDocument,
          shipDate: '2011-12-08',
          shippingCost: '4.95',
          labelCreatedAt: '2011-12-08T12:56:00.000Z',
          notifyCustomer: false,
          customField2: 'B',
          recipient: expect.objectContaining({ name: 'Ada Lovelace', city: '' }) as unknown,
          lines: [{ lineItemId: '7', sku: 'T', name: '', quantity: 1 }],
        },
      ])
    })

    it('one after another, each with what the one before it returned', async () => {
      const seen: unknown[] = []
      hooks = [
        ({ doc }) => ({ ...(doc as object), mailed: true }),
        ({ doc }) => void seen.push((doc as { mailed?: boolean }).mailed),
      ]
      expect((await send()).status).toBe(200)
      expect(seen).toEqual([true])
    })

    it('a hook can read and write with the request that it is given', async () => {
      hooks = [
        async ({ req }) => {
          const read = await req.payload.findByID({ collection: 'orders', id: order.id, req })
          const email = `${String((read as { status?: string }).status)}@example.com`
          await req.payload.create({
            collection: 'users',
            data: { email, password: 'a-password' },
            req,
          })
        },
      ]
      expect((await send()).status).toBe(200)
      const { docs } = await store.payload.find({ collection: 'users' })
      expect(docs).toMatchObject([{ email: 'shipped@example.com' }])
    })

    it('a hook that bears what fails in it costs nothing', async () => {
      hooks = [
        async ({ req }) => {
          const gone = { collection: 'orders', id: 999_999, req } as const
          await req.payload.update({ ...gone, data: {} }).catch(() => undefined)
        },
      ]
      expect((await send()).status).toBe(200)
      expect(await shipment()).toMatchObject(stored)
    })

    const kept = kind === 'postgres' ? 'nothing is stored' : 'all three are stored'
    it(`a hook that fails: 500, the log says why, and ${kept}; the repeat runs it again`, async () => {
      let isBroken = true
      const statuses: unknown[] = []
      hooks = [
        ({ doc }) => {
          statuses.push((doc as { status?: string }).status)
          if (isBroken) throw new Error('The mail server is down')
        },
      ]
      const before = await shipment()
      const response = await send()
      expect(response.status).toBe(500)
      expect(response.headers.get('x-error-code')).toBeNull()
      expect(await response.text()).not.toContain('mail server')
      expect(errorLines(log)).toEqual([expect.objectContaining({ reference: order.reference })])
      expect(log.text()).toContain('The mail server is down')
      expect(await shipment()).toMatchObject(kind === 'postgres' ? before : stored)
      isBroken = false
      expect((await send()).status).toBe(200)
      expect(statuses).toEqual(['shipped', 'shipped'])
      const after = await shipment()
      expect(after).toMatchObject(stored)
      expect(after.history).toHaveLength(1)
    })
  },
)
