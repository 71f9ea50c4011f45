import type { BasePayload, PayloadRequest } from 'payload'

type Data = Record<string, unknown>

/** A complete, valid order document; a test states only what matters to it. */
export const anOrder = (changes: Data = {}): Data => ({
  status: 'processing',
  customerEmail: 'ada@example.com',
  amount: 4250,
  currency: 'USD',
  shippingAddress: anAddress(),
  shippingAmount: 500,
  taxAmount: 250,
  shippingMethod: 'Standard',
  items: [aLine()],
  ...changes,
})

export const anAddress = (changes: Data = {}): Data => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  company: 'Analytical Engines',
  addressLine1: '12 St James Square',
  addressLine2: 'Flat 2',
  city: 'London',
  state: 'LND',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
  phone: '+442079460000',
  ...changes,
})

export const aLine = (changes: Data = {}): Data => ({
  name: 'Green tea',
  sku: 'TEA-1',
  quantity: 2,
  unitPrice: 1750,
  weight: 250,
  weightUnit: 'g',
  imageUrl: '/media/tea.png',
  options: [{ name: 'Size', value: 'Large' }],
  ...changes,
})

export interface SavedOrder {
  id: number | string
  number: string
  reference: string
  items: { id: string }[]
  updatedAt: string
}

/** Saves orders one after another, each with the given moment of change where one is given. */
export async function saveOrders(payload: BasePayload, orders: Data[]): Promise<SavedOrder[]> {
  const saved: SavedOrder[] = []
  for (const order of orders) saved.push(await saveOrder(payload, order))
  return saved
}

export async function saveOrder(
  payload: BasePayload,
  order: Data = anOrder(),
  options: { req?: PayloadRequest; context?: Data } = {},
): Promise<SavedOrder> {
  const { updatedAt, ...data } = order
  const document = (await payload.create({
    collection: 'orders',
    data,
    depth: 0,
    ...options,
  })) as unknown as SavedOrder
  if (typeof updatedAt !== 'string') return document
  // Payload would set the time of now.
  await overwriteOrder(payload, document.id, { updatedAt })
  return { ...document, updatedAt }
}

/** What the checkout of the extension posts of a cart. */
export const aPurchase = (
  { id, secret }: { id: number; secret?: unknown },
  customerEmail?: string,
) => ({
  cartID: id,
  secret,
  ...(customerEmail !== undefined && { customerEmail }),
  billingAddress: anAddress(),
  shippingAddress: anAddress(),
})

/** Changes an order as the admin and the store's own code do. */
export const changeOrder = (payload: BasePayload, id: SavedOrder['id'], data: Data) =>
  payload.update({ collection: 'orders', id, data })

/** Writes below Payload's validation and hooks, as an import or an older version of the shop might have. */
export const overwriteOrder = (payload: BasePayload, id: SavedOrder['id'], data: Data) =>
  payload.db.updateOne({ collection: 'orders', id, data, returning: false })
