import type {
  FieldNames,
  OrderFieldName,
  ProductFieldNames,
  ShopNames,
} from '../../core/shop-names.js'
import { orderFieldRows } from './order.js'

/** What the field behind a name must be, so that Storeconnect can use it. */
export interface Use {
  /** The types of field that work; `tab` is a named tab. */
  types: readonly string[]
  /** Storeconnect writes it, or finds documents by it, so it has one value in the document itself. */
  isOwn?: true
  /** Several values work too. */
  maySeveral?: true
  /** It is read through Payload, so a hook may make it, and it may be one of several texts. */
  throughPayload?: true
  to?: keyof ShopNames['collections']
  /** Such as `title`, where the field relates to documents or has rows: they have one of these. */
  parts?: readonly string[]
  /** A field of another kind under the default name is the store's own matter. */
  isLeftAlone?: true
  /** The order's lines have it: they alone, or they as well as the order or instead of it. */
  ofLines?: 'only' | 'too'
}

export const oneText = ['text', 'textarea', 'email', 'code', 'number', 'select', 'radio'] as const

const useOfType: Readonly<Record<(typeof orderFieldRows)[number][1]['type'], Use>> = {
  amount: { types: ['number'] },
  text: { types: oneText },
  textarea: { types: oneText },
  checkbox: { types: ['checkbox'] },
}

export const address: Use = { types: ['group', 'tab', 'relationship'], isOwn: true }

export const orderUses: Readonly<Record<keyof FieldNames, Use>> = {
  ...(Object.fromEntries(
    orderFieldRows.map(([name, { type }]) => [name, useOfType[type]]),
  ) as Record<OrderFieldName, Use>),
  number: { types: ['text', 'textarea', 'code'], isOwn: true },
  reference: { types: oneText, isOwn: true },
  site: { types: ['relationship'], to: 'sites', isOwn: true, isLeftAlone: true },
  status: { types: ['select', 'radio'], isOwn: true },
  customer: { types: ['relationship'], isOwn: true },
  customerEmail: { types: ['email', 'text', 'textarea', 'code'], isOwn: true },
  amount: useOfType.amount,
  currency: { types: ['select', 'radio', 'text'], isOwn: true },
  items: { types: ['array'], isOwn: true },
  transactions: { types: ['relationship'], to: 'transactions', isOwn: true, maySeveral: true },
  shippingAddress: address,
  billingAddress: address,
  reason: { types: oneText, isLeftAlone: true },
  tracking: { types: ['array'], isOwn: true },
  refundedQuantity: { types: ['number'], isOwn: true, isLeftAlone: true, ofLines: 'only' },
  refundedAmount: { types: ['number'], isOwn: true, isLeftAlone: true, ofLines: 'too' },
}

export const onCarts: ReadonlySet<string> = new Set([
  ...orderFieldRows.flatMap(([name, { isOnCarts }]) => (isOnCarts ? [name] : [])),
  ...['number', 'site', 'customer', 'currency', 'items', 'billingAddress'],
])

/** The names that a store's own `orders.map` leaves unused. */
export const unmapped: ReadonlySet<string> = new Set([
  ...orderFieldRows.map(([name]) => name),
  ...['amount', 'currency', 'reason', 'transactions', 'shippingAddress', 'billingAddress'],
  ...['refundedQuantity', 'refundedAmount'],
])

const productText: Use = { types: oneText, throughPayload: true }
const titled: Use = {
  types: [...oneText, 'relationship', 'array'],
  maySeveral: true,
  throughPayload: true,
  parts: ['title', 'name'],
}

export const productUses: Readonly<Record<keyof ProductFieldNames, Use>> = {
  ...allTexts('name', 'sku', 'weight', 'weightUnit', 'length', 'width', 'height', 'dimensionUnit'),
  ...allTexts('location', 'slug'),
  image: { ...productText, types: [...oneText, 'upload', 'relationship'], parts: ['url'] },
  description: { ...productText, types: [...oneText, 'richText'] },
  categories: titled,
  brand: titled,
  compareAtPrice: { types: ['number'], throughPayload: true },
}

function allTexts<Name extends string>(...names: Name[]): Record<Name, Use> {
  return Object.fromEntries(names.map((name) => [name, productText])) as Record<Name, Use>
}
