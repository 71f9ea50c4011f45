import { describe, expect, it } from 'vitest'
import { captureLog } from '../../support/captured-log.js'
import { anOrder, changeOrder, overwriteOrder, saveOrder } from '../../support/orders.js'
import { noticeRequest, shippingRequest } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind } from '../../support/store.js'
import {
  entry,
  errorLines,
  notify,
  openStoreForTest,
  parcel,
  readEntries,
  readOrder,
  readShipment,
} from './stored-shipment.js'

const formType = 'application/x-www-form-urlencoded'

const form = (parameters: Record<string, string>): RequestInit => ({
  body: new URLSearchParams(parameters).toString(),
  headers: { 'content-type': formType },
})

const json = (value: unknown): RequestInit => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
})

const multipart = (parameters: Record<string, string>): RequestInit => {
  const body = new FormData()
  for (const [name, value] of Object.entries(parameters)) body.append(name, value)
  return { body }
}

describe('shipnotify', () => {
  const store = sharedStore(anyKind)

  const saved = (changes: Record<string, unknown> = {}) =>
    saveOrder(store.payload, anOrder(changes))
  const statusOf = async (id: number | string) => (await readOrder(store.payload, id)).status

  describe('parameters', () => {
    it('order_number is matched against the order reference', async () => {
      const [wanted, other] = [await saved(), await saved()]
      await notify(store, { order_number: wanted.reference, ...parcel })
      expect(await statusOf(wanted.id)).toBe('shipped')
      expect(await statusOf(other.id)).toBe('processing')
    })

    it('order_number is matched neither against the id nor the number of an order', async () => {
      const { id } = await saved()
      const { number } = await readOrder(store.payload, id)
      for (const other of [String(id), String(number)]) {
        const response = await store.handle(noticeRequest({ order_number: other }))
        expect(response.status).toBe(404)
      }
      expect(await statusOf(id)).toBe('processing')
    })

    it('carrier, service and tracking_number are written to their fields', async () => {
      for (const [parameter, field] of [
        ['carrier', 'carrier'],
        ['service', 'service'],
        ['tracking_number', 'trackingNumber'],
      ] as const) {
        const { id, reference } = await saved()
        await notify(store, { order_number: reference, [parameter]: 'Größe "7" & <8>' })
        const blank = { carrier: '', service: '', trackingNumber: '' }
        expect(await readEntries(store.payload, id)).toEqual([
          { ...blank, [field]: 'Größe "7" & <8>' },
        ])
      }
    })
  })

  describe('parameters are read from the query string or the body', () => {
    it('all of them in the body', async () => {
      const { id, reference } = await saved()
      const init = form({ action: 'shipnotify', order_number: reference, ...parcel })
      const response = await store.handle(shippingRequest({}, { method: 'POST', ...init }))
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      expect(await response.text()).toBe('{"success":true}')
      expect(await statusOf(id)).toBe('shipped')
      expect(await readEntries(store.payload, id)).toEqual([entry])
    })

    it.each([
      ['an urlencoded body', form],
      ['a multipart body', multipart],
      ['a JSON body', json],
    ])('the query string wins over %s, and the body adds what it lacks', async (_body, bodyOf) => {
      const [wanted, other] = [await saved(), await saved()]
      const body = bodyOf({ order_number: other.reference, ...parcel })
      await notify(store, { order_number: wanted.reference, carrier: 'FedEx' }, body)
      expect(await readEntries(store.payload, wanted.id)).toEqual([{ ...entry, carrier: 'FedEx' }])
      expect(await statusOf(other.id)).toBe('processing')
    })

    it('an empty order_number in the query string wins over the body: 406', async () => {
      const { id, reference } = await saved()
      const init = form({ order_number: reference })
      const response = await store.handle(noticeRequest({ order_number: '' }, init))
      expect(response.status).toBe(406)
      expect(await statusOf(id)).toBe('processing')
    })
  })

  describe('states and transitions', () => {
    it('the order moves to the status in Status Handle whether or not any tracking value is present', async () => {
      const blank = { carrier: '', service: '', tracking_number: '' }
      for (const values of [parcel, { tracking_number: '1Z999AA1' }, blank, {}]) {
        const { id, reference } = await saved()
        await notify(store, { order_number: reference, ...values })
        expect([values, await statusOf(id)]).toEqual([values, 'shipped'])
      }
    })

    it('any order matched by order_number moves, whatever its status', async () => {
      for (const status of ['processing', 'completed', 'cancelled', 'refunded', 'shipped']) {
        const { id, reference } = await saved({ status })
        await notify(store, { order_number: reference })
        expect([status, await statusOf(id)]).toEqual([status, 'shipped'])
      }
    })

    it('the status is the one that Status Handle names', async () => {
      const other = await openStoreForTest(anyKind, {
        options: { shipping: { settings: { statusHandle: 'completed' } } },
      })
      const { id, reference } = await saveOrder(other.payload)
      await notify(other, { order_number: reference })
      expect((await readOrder(other.payload, id)).status).toBe('completed')
    })

    it('an entry is created only when at least one of the three values is non-empty', async () => {
      const empty = { carrier: '', service: '', tracking_number: '' }
      for (const values of [{}, empty, { carrier: ' ', service: '\t', tracking_number: '  ' }]) {
        const { id, reference } = await saved()
        await notify(store, { order_number: reference, ...values })
        expect([values, await readEntries(store.payload, id)]).toEqual([values, []])
      }
    })

    it('one entry per order, a second notification overwrites the first; all three tracking values blank leave it', async () => {
      const [{ id, reference }, other] = [await saved(), await saved()]
      await notify(store, { order_number: reference, ...parcel })
      await notify(store, { order_number: other.reference, carrier: 'DHL' })
      await notify(store, { order_number: reference, carrier: '', service: ' ' })
      expect(await readEntries(store.payload, id)).toEqual([entry])
      await notify(store, { order_number: reference, carrier: 'DHL', tracking_number: 'JD014' })
      expect(await readEntries(store.payload, id)).toEqual([
        { carrier: 'DHL', service: '', trackingNumber: 'JD014' },
      ])
    })

    it('one entry per order: further rows, as the staff may have added, are removed', async () => {
      const { id, reference } = await saved()
      // Written to the database directly, because Payload allows one row only.
      await overwriteOrder(store.payload, id, {
        tracking: ['a', 'b', 'c'].map((letter) => ({
          id: letter.repeat(24),
          carrier: letter,
        })),
      })
      expect(await readEntries(store.payload, id)).toHaveLength(3)
      await notify(store, { order_number: reference, ...parcel })
      expect(await readEntries(store.payload, id)).toEqual([entry])
    })

    it('updatedAt moves, and the rest of the order stays as it is', async () => {
      const updatedAt = '2026-01-01T00:00:00.000Z'
      const texts = { customerNotes: 'Ring twice', warehouse: 'berlin' }
      const { id, reference } = await saved({ ...texts, updatedAt })
      const before = await readOrder(store.payload, id)
      await notify(store, { order_number: reference, ...parcel })
      const after = await readOrder(store.payload, id)
      expect(Date.parse(String(after.updatedAt))).toBeGreaterThan(Date.parse(updatedAt))
      const written = ['status', 'statusChanges', 'tracking', 'shipments', 'updatedAt']
      for (const name of written) delete before[name]
      expect(after).toMatchObject(before)
      expect(before).toMatchObject({ customerNotes: 'Ring twice', items: [{ sku: 'TEA-1' }] })
    })

    it('the order is saved without validation', async () => {
      const { id, reference } = await saved()
      await overwriteOrder(store.payload, id, { customerEmail: 'not an address' })
      await expect(changeOrder(store.payload, id, { warehouse: 'berlin' })).rejects.toThrow(
        'Customer email',
      )

      await notify(store, { order_number: reference, ...parcel })
      expect(await readOrder(store.payload, id)).toMatchObject({
        status: 'shipped',
        customerEmail: 'not an address',
        tracking: [entry],
      })
    })

    it('an order from before the plugin, without a reference, goes by its id, unless that is the reference of another', async () => {
      const { id } = await saved()
      await overwriteOrder(store.payload, id, { reference: null })
      await notify(store, { order_number: String(id), ...parcel })
      expect(await statusOf(id)).toBe('shipped')
      expect(await readEntries(store.payload, id)).toEqual([entry])
      const other = await saved({ reference: String(id) })
      await notify(store, { order_number: String(id), carrier: 'DHL' })
      expect(await statusOf(other.id)).toBe('shipped')
      expect(await readEntries(store.payload, id)).toEqual([entry])
    })
  })
})

describe('where the tracking entry is kept', () => {
  describe('a missing Matrix field is logged and skipped while the status change still happens', () => {
    it.each([
      ['no such field', { matrixField: 'parcel' }, 'parcel'],
      ['a field of another type', { matrixField: 'customerEmail' }, 'customerEmail'],
      ['no such Carrier field', { carrierField: 'company' }, 'company'],
      ['no such Service field', { serviceField: 'level' }, 'level'],
      ['no such Tracking Number field', { trackingNumberField: 'code' }, 'code'],
      ['no such entry type', { matrixField: 'parcels', entryType: 'crate' }, 'crate'],
      [
        'no such field in the entry type',
        { matrixField: 'parcels', entryType: 'remark', carrierField: 'carrier' },
        'carrier',
      ],
    ])('%s', async (_what, settings, named) => {
      const log = captureLog()
      const other = await openStoreForTest(anyKind, {
        config: log.config,
        options: { shipping: { settings } },
      })
      const { id, reference } = await saveOrder(other.payload)
      log.clear()
      await notify(other, { order_number: reference, ...parcel })

      const { status, entries, history } = await readShipment(other.payload, id)
      expect(status).toBe('shipped')
      expect(entries).toEqual([])
      expect(history).toMatchObject([entry])
      expect(errorLines(log)).toEqual([
        expect.objectContaining({
          reference,
          requestId: expect.any(String) as unknown,
          reason: expect.stringContaining(`"${named}"`) as unknown,
        }),
      ])
    })
  })

  describe('a Matrix field of blocks', () => {
    const settings = { matrixField: 'parcels', entryType: 'shipment' }

    it('the entry type names the one block that holds the entry; blocks of other types stay, also when the staff saves them', async () => {
      const other = await openStoreForTest(anyKind, { options: { shipping: { settings } } })
      const remarks = ['Fragile', 'Leave at the door'].map((text) => ({
        blockType: 'remark',
        text,
      }))
      const further = ['A', 'B'].map((carrier) => ({ blockType: 'shipment', carrier }))
      const { id, reference } = await saveOrder(
        other.payload,
        anOrder({ parcels: [...remarks, ...further] }),
      )
      const expectOneEntry = async (values: object) => {
        const blocks = await readEntries(other.payload, id, 'parcels')
        expect(blocks.filter(({ blockType }) => blockType === 'remark')).toEqual(remarks)
        const entries = blocks.filter(({ blockType }) => blockType === 'shipment')
        expect(entries).toEqual([{ blockType: 'shipment', ...values }])
        expect(blocks).toHaveLength(3)
      }
      await notify(other, { order_number: reference, carrier: 'DHL', service: 'Express' })
      await expectOneEntry({ carrier: 'DHL', service: 'Express', trackingNumber: '' })
      await notify(other, { order_number: reference, ...parcel })
      await notify(other, { order_number: reference })
      await expectOneEntry(entry)
      expect(await readEntries(other.payload, id)).toEqual([])
      const { parcels } = await readOrder(other.payload, id)
      await changeOrder(other.payload, id, { parcels })
      await expectOneEntry(entry)
    })
  })
})
