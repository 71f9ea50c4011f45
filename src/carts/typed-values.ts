import { isDeepStrictEqual } from 'node:util'
import type { FlattenedField } from 'payload'
import { consentField, giverFields } from '../shop/orders/order-fields.js'
import { cartNotes } from '../shop/orders/order-fields.js'
import { orderFieldRows } from '../shop/orders/order.js'
import type { ShopNames } from '../core/shop-names.js'
import { valueAt } from '../core/payload/document-value.js'
import { writtenFieldTypes } from '../core/payload/field-search.js'

type Data = Record<string, unknown>

/** What the shop writes itself. The answers of the checkout have a rule of their own. */
const writtenByShop = [
  ...['id', 'createdAt', 'updatedAt', 'deletedAt', 'purchasedAt', 'secret', 'subtotal'],
  ...[...cartNotes, consentField, ...Object.values(giverFields)],
]

/**
 * A cart's values without what somebody typed before: addresses, notes, codes, the amounts that follow from
 * them, and each text, date and number in the store's own fields. What the same write changes stays.
 */
export function withoutTyped(
  cart: Data,
  {
    before,
    fields,
    names,
  }: { before: unknown; fields: readonly FlattenedField[]; names: ShopNames },
): Data {
  const { items, number, currency, shippingAddress, billingAddress } = names.fields
  const kept = new Set([...writtenByShop, number, currency, `${items}.id`, `${items}.quantity`])
  const whole = new Set([
    ...[shippingAddress, billingAddress],
    ...orderFieldRows.map(([name]) => names.fields[name]),
  ])

  const valueOf = (field: FlattenedField, value: unknown, { above, isAll }: Place): unknown => {
    const path = `${above}${field.name}`
    if (value === undefined || value === null || kept.has(path) || isReference(field)) return value
    const below = { above: `${path}.`, isAll: isAll || whole.has(path) }
    if (field.type === 'group' || field.type === 'tab') {
      return emptied(value as Data, field.flattenedFields, below)
    }
    if (path === items && field.type === 'array') {
      return (value as Data[]).map((row) => emptied(row, field.flattenedFields, below))
    }
    const isTyped = below.isAll || isWritten(field)
    // The values of a line are at no path.
    const isOld = above === `${items}.` || isDeepStrictEqual(value, valueAt(before, path))
    return isTyped && isOld ? blankOf(field) : value
  }
  const emptied = (values: Data, within: readonly FlattenedField[], place: Place): Data => ({
    ...values,
    ...Object.fromEntries(
      within.map((field) => [field.name, valueOf(field, values[field.name], place)]),
    ),
  })
  return emptied(cart, fields, { above: '', isAll: false })
}

interface Place {
  /** The path that the fields are below; blank at the top. */
  above: string
  /** Whether all of it goes, also what was chosen from a list. */
  isAll: boolean
}

const isReference = (field: FlattenedField) => 'unique' in field && field.unique === true

const isWritten = (field: FlattenedField) => writtenFieldTypes.has(field.type) || hasOwnRows(field)

const hasOwnRows = ({ type }: FlattenedField): boolean => type === 'array' || type === 'blocks'

function blankOf(field: FlattenedField): unknown {
  const preset: unknown = 'defaultValue' in field ? field.defaultValue : undefined
  if (preset !== undefined && typeof preset !== 'function') return preset
  const hasMany = 'hasMany' in field && field.hasMany === true
  return hasMany || hasOwnRows(field) ? [] : null
}
