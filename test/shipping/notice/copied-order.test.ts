import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeSettings, storeSettings } from '../../support/exported-orders.js'
import { aLine, anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'
import { testCredentials } from '../../support/store-config.js'
import { notify, openStoreForTest, parcel, readEntries, readShipment } from './stored-shipment.js'

describe('An order that was shipped', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(anyKind)
  })
  afterAll(() => store.close())

  it.each([
    ['tracking', { matrixField: 'tracking' }],
    ['parcels', { matrixField: 'parcels', entryType: 'shipment' }],
  ])('and is copied keeps its parcel in "%s" for itself', async (field, settings) => {
    await changeSettings(store.payload, settings)
    const { id, reference } = await saveOrder(store.payload)
    await notify(store, { order_number: reference, ...parcel })
    expect(await readEntries(store.payload, id, field)).toHaveLength(1)
    const copy = await store.payload.duplicate({ collection: 'orders', id })
    expect(await readEntries(store.payload, copy.id, field)).toEqual([])
    expect((await readShipment(store.payload, copy.id)).history).toEqual([])
    expect(await readEntries(store.payload, id, field)).toHaveLength(1)
  })

  it('is exported whatever a setting names, and without a size that would be 0', async () => {
    const odd = await openStoreForTest(anyKind)
    const settings = { furtherFields: true, dimensions: true, source: 'toString' }
    await storeSettings(odd.payload, { ...testCredentials, ...settings })
    const size = { itemLength: 1e-9, itemWidth: 1, itemHeight: 1, dimensionUnit: 'cm' }
    await saveOrder(odd.payload, anOrder({ items: [aLine(size)] }))
    const response = await odd.handle(exportRequest())
    expect(response.status).toBe(200)
    expect(await response.text()).not.toContain('<Dimensions>')
  })
})
