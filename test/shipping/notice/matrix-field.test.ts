import { describe, expect, it } from 'vitest'
import { captureLog } from '../../support/captured-log.js'
import { anOrder, saveOrder } from '../../support/orders.js'
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
      await other.payload.update({ collection: 'orders', id, data: { parcels } })
      await expectOneEntry(entry)
    })
  })
})
