import { describe, expect, it } from 'vitest'
import { captureLog } from '../../support/captured-log.js'
import { saveOrder } from '../../support/orders.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import { databaseKinds } from '../../support/store.js'
import { entryOfDocument, shipNotice } from './ship-notice-document.js'
import {
  entry,
  errorLines,
  notify,
  openStoreForTest,
  parcel,
  readOrder,
  readShipment,
} from './stored-shipment.js'

describe.each(databaseKinds)(
  "the collection's afterChange hooks run after shipnotify (%s)",
  (kind) => {
    it('once, with the order as it was and as it is', async () => {
      const calls: Seen[] = []
      const other = await openStoreForTest(kind, {
        orderHooks: {
          afterChange: [
            (call) => {
              if (call.operation === 'update') calls.push(copyOf(call))
            },
          ],
        },
      })
      const { id, reference } = await saveOrder(other.payload)
      const { updatedAt } = await readOrder(other.payload, id)
      await notify(other, { order_number: reference, ...parcel })

      expect(calls).toHaveLength(1)
      expect(calls[0]).toMatchObject({
        operation: 'update',
        previousDoc: { id, reference, status: 'processing', tracking: [], updatedAt },
        doc: { id, reference, status: 'shipped', tracking: [entry] },
      })
      expect(calls[0]?.doc).toMatchObject({
        updatedAt: (await readOrder(other.payload, id)).updatedAt,
      })
    })

    it('with what ShipStation says of the parcel', async () => {
      const shipments: unknown[] = []
      const other = await openStoreForTest(kind, {
        orderHooks: { afterChange: [({ req }) => void shipments.push(req.context.shipment)] },
      })
      const { reference } = await saveOrder(other.payload)
      const body = shipNotice({ CustomField2: 'B' }, [{ LineItemID: '7', SKU: 'T', Quantity: '1' }])
      await notify(other, { order_number: reference }, { body })
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
      const other = await openStoreForTest(kind, {
        orderHooks: {
          afterChange: [
            ({ doc }) => ({ ...(doc as object), mailed: true }),
            ({ doc }) => void seen.push((doc as { mailed?: boolean }).mailed),
          ],
        },
      })
      const { reference } = await saveOrder(other.payload)
      seen.length = 0
      await notify(other, { order_number: reference })
      expect(seen).toEqual([true])
    })

    it('a hook can read and write with the request that it is given', async () => {
      const other = await openStoreForTest(kind, {
        orderHooks: {
          afterChange: [
            async ({ doc, operation, req }) => {
              if (operation !== 'update') return
              const { id } = doc as { id: number }
              const order = await req.payload.findByID({ collection: 'orders', id, req })
              const { status } = order as { status?: string }
              await req.payload.create({
                collection: 'users',
                data: { email: `${status}@example.com`, password: 'a-password' },
                req,
              })
            },
          ],
        },
      })
      const { reference } = await saveOrder(other.payload)
      await notify(other, { order_number: reference })
      const { docs } = await other.payload.find({ collection: 'users' })
      expect(docs).toMatchObject([{ email: 'shipped@example.com' }])
    })

    it('a hook that bears what fails in it costs nothing', async () => {
      const other = await openStoreForTest(kind, {
        orderHooks: {
          afterChange: [
            async ({ operation, req }) => {
              if (operation !== 'update') return
              const gone = { collection: 'orders', id: 999_999, req } as const
              await req.payload.update({ ...gone, data: {} }).catch(() => undefined)
            },
          ],
        },
      })
      const { id, reference } = await saveOrder(other.payload)
      await notify(other, { order_number: reference, ...parcel })
      const after = await readShipment(other.payload, id)
      expect(after).toMatchObject({ status: 'shipped', entries: [entry], history: [entry] })
    })

    const failing = async () => {
      let isBroken = true
      const statuses: unknown[] = []
      const log = captureLog()
      const other = await openStoreForTest(kind, {
        config: log.config,
        orderHooks: {
          afterChange: [
            ({ doc, operation }) => {
              if (operation !== 'update') return
              statuses.push((doc as { status?: string }).status)
              if (isBroken) throw new Error('The mail server is down')
            },
          ],
        },
      })
      const { id, reference } = await saveOrder(other.payload)
      const before = await readShipment(other.payload, id)
      const send = () => other.handle(noticeRequest({ order_number: reference, ...parcel }))
      log.clear()
      const response = await send()
      return {
        ...{ id, before, send, response, log, statuses, payload: other.payload, reference },
        repair: () => (isBroken = false),
      }
    }

    const kept = kind === 'postgres' ? 'nothing is stored' : 'all three are stored'
    it(`a hook that fails: 500, the log says why, and ${kept}; the repeat runs it again`, async () => {
      const { response, log, reference, payload, id, before, send, repair, statuses } =
        await failing()
      expect(response.status).toBe(500)
      expect(response.headers.get('x-error-code')).toBeNull()
      expect(await response.text()).not.toContain('mail server')
      expect(errorLines(log)).toEqual([expect.objectContaining({ reference })])
      expect(log.text()).toContain('The mail server is down')
      const stored = { status: 'shipped', entries: [entry], history: [entry] }
      expect(await readShipment(payload, id)).toMatchObject(kind === 'postgres' ? before : stored)
      repair()
      expect((await send()).status).toBe(200)
      expect(statuses).toEqual(['shipped', 'shipped'])
      const after = await readShipment(payload, id)
      expect(after).toMatchObject(stored)
      expect(after.history).toHaveLength(1)
    })
  },
)

/** The arguments that a hook gets about an order. */
interface Seen {
  operation: string
  doc: Record<string, unknown>
  previousDoc: Record<string, unknown>
}

/** A copy, so that later changes of the documents do not show in it. */
const copyOf = ({ operation, doc, previousDoc }: Seen): Seen =>
  structuredClone({ operation, doc, previousDoc })
