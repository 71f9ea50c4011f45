import { describe, expect, it } from 'vitest'
import type { MappedOrder, OrderDocument } from '../../../src/types.js'
import { readExport, textAt } from '../../support/exported-orders.js'
import { aMappedOrder } from '../../support/mapped-order.js'
import { saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { databaseKinds } from '../../support/store.js'

/** What a store gives that keeps no amounts, notes or gifts. */
const map = (document: OrderDocument): MappedOrder => aMappedOrder(document)

describe.each(databaseKinds)('an order of orders.map (%s)', (kind) => {
  const store = sharedStore(kind, { options: { orders: { map } } })

  it('has an amount of 0, a blank text or a box that is off for each value that it leaves out', async () => {
    await saveOrder(store.payload)
    const { orders } = await readExport(await store.handle(exportRequest()))
    const names = ['TaxAmount', 'ShippingAmount', 'ShippingMethod', 'InternalNotes', 'Gift']
    const further = ['CustomField1', 'CustomField2', 'CustomField3', 'CustomerNotes', 'GiftMessage']
    expect(orders).toHaveLength(1)
    expect([...names, ...further].map((name) => textAt(orders[0], name))).toEqual([
      '0.00',
      '0.00',
      '',
      '',
      'false',
      '',
      '',
      '',
      '',
      '',
    ])
  })
})
