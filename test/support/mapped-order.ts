import type { MappedOrder, OrderDocument } from '../../src/shop/orders/order.js'

/** A valid order as a store's `orders.map` returns it; a test states only what matters to it. */
export const aMappedOrder = (
  { id }: Pick<OrderDocument, 'id'>,
  changes: Partial<MappedOrder> = {},
): MappedOrder => ({
  id,
  reference: `ERP-${id}`,
  status: 'processing',
  currency: 'USD',
  total: 1200,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  updatedAt: new Date('2026-01-02T00:00:00Z'),
  paymentMethod: 'card',
  customerId: undefined,
  email: 'ada@example.com',
  shippingAddress: mappedAddress,
  billingAddress: undefined,
  items: [mappedLine],
  ...changes,
})

export const mappedAddress: MappedOrder['shippingAddress'] = {
  name: 'Ada Lovelace',
  company: '',
  line1: '12 St James Square',
  line2: '',
  city: 'London',
  state: '',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
  phone: '',
}

export const mappedLine: MappedOrder['items'][number] = {
  sku: 'TEA',
  name: 'Tea',
  quantity: 1,
  unitPrice: 1200,
  weight: 0,
  weightUnit: 'g',
  imageUrl: '',
  options: [],
}
