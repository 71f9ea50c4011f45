import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MappedOrder, OrderDocument } from '../../src/types.js'
import { readExport, textAt } from '../support/exported-orders.js'
import { saveOrder } from '../support/orders.js'
import { exportRequest } from '../support/shipping-requests.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'

/** What a store gives that keeps no amounts, notes or gifts. */
const mapped = ({ id, updatedAt }: OrderDocument): MappedOrder => ({
  id,
  reference: `ERP-${id}`,
  status: 'processing',
  currency: 'USD',
  total: 1200,
  createdAt: new Date('2026-03-10T14:30:00Z'),
  updatedAt: new Date(String(updatedAt)),
  paymentMethod: 'card',
  customerId: undefined,
  email: 'ada@example.com',
  shippingAddress: {
    name: 'Ada Lovelace',
    company: '',
    line1: '12 St James Square',
    line2: '',
    city: 'London',
    state: '',
    postalCode: 'SW1Y 4JH',
    country: 'GB',
    phone: '',
  },
  billingAddress: undefined,
  items: [
    {
      sku: 'TEA',
      name: 'Tea',
      quantity: 1,
      unitPrice: 1200,
      weight: 0,
      weightUnit: 'g',
      imageUrl: '',
      options: [],
    },
  ],
})

describe.each(databaseKinds)('an order of orders.map (%s)', (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(kind, { options: { orders: { map: mapped } } })
  })
  afterAll(() => store.close())

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
