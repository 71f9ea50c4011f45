import { describe, expect, it } from 'vitest'
import { captureLog } from '../../support/captured-log.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { databaseKinds } from '../../support/store.js'
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

describe.each(databaseKinds)('where the tracking entry is kept (%s)', (kind) => {
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
      const other = await openStoreForTest(kind, {
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
    const open = () => openStoreForTest(kind, { options: { shipping: { settings } } })

    it('the entry type names the block that holds the entry', async () => {
      const other = await open()
      const { id, reference } = await saveOrder(other.payload)
      await notify(other, { order_number: reference, ...parcel })
      expect(await readEntries(other.payload, id, 'parcels')).toEqual([
        { blockType: 'shipment', ...entry },
      ])
      expect(await readEntries(other.payload, id)).toEqual([])
    })

    it('a second notification overwrites the entry, and blocks of other types stay', async () => {
      const other = await open()
      const remarks = ['Fragile', 'Leave at the door'].map((text) => ({
        blockType: 'remark',
        text,
      }))
      const { id, reference } = await saveOrder(other.payload, anOrder({ parcels: remarks }))
      await notify(other, { order_number: reference, carrier: 'DHL', service: 'Express' })
      await notify(other, { order_number: reference, ...parcel })
      await notify(other, { order_number: reference })

      const blocks = await readEntries(other.payload, id, 'parcels')
      expect(blocks.filter(({ blockType }) => blockType === 'remark')).toEqual(remarks)
      expect(blocks.filter(({ blockType }) => blockType === 'shipment')).toEqual([
        { blockType: 'shipment', ...entry },
      ])
      expect(blocks).toHaveLength(3)
    })

    it('further blocks of the entry type are removed', async () => {
      const other = await open()
      const blocks = [
        { blockType: 'shipment', carrier: 'A' },
        { blockType: 'remark', text: 'Fragile' },
        { blockType: 'shipment', carrier: 'B' },
      ]
      const { id, reference } = await saveOrder(other.payload, anOrder({ parcels: blocks }))
      await notify(other, { order_number: reference, ...parcel })
      const after = await readEntries(other.payload, id, 'parcels')
      expect(after).toHaveLength(2)
      expect(after).toContainEqual({ blockType: 'remark', text: 'Fragile' })
      expect(after).toContainEqual({ blockType: 'shipment', ...entry })
    })

    it('a saved order with its entry can be saved again by the staff', async () => {
      const other = await open()
      const remark = { blockType: 'remark', text: 'Fragile' }
      const { id, reference } = await saveOrder(other.payload, anOrder({ parcels: [remark] }))
      await notify(other, { order_number: reference, ...parcel })
      const { parcels } = await readOrder(other.payload, id)
      await other.payload.update({ collection: 'orders', id, data: { parcels } })
      const after = await readEntries(other.payload, id, 'parcels')
      expect(after).toHaveLength(2)
      expect(after).toContainEqual(remark)
      expect(after).toContainEqual({ blockType: 'shipment', ...entry })
    })
  })
})
