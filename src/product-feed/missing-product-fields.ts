import type { BasePayload } from 'payload'
import { cartSchemaOf } from '../carts/cart-documents.js'
import type { OrderShop } from '../orders/order-options.js'
import { findField, type NamedField } from '../payload/field-search.js'

/**
 * The field of a collection at a path such as `gallery.0.image`, which may lead through groups, arrays
 * and related documents.
 */
export function fieldAt(payload: BasePayload, slug: string, path: string): NamedField | undefined {
  const fields = payload.collections[slug]?.config.fields ?? []
  const names = path.split('.').filter((name) => !/^\d+$/.test(name))
  for (const [index] of names.entries()) {
    const field = findField(fields, names.slice(0, index + 1).join('.'))
    if (index === names.length - 1) return field
    if (field?.type !== 'relationship' && field?.type !== 'upload') continue
    const rest = names.slice(index + 1).join('.')
    const related = [field.relationTo].flat().map((to) => fieldAt(payload, to, rest))
    return related.find((found) => found !== undefined)
  }
  return undefined
}

/** A field that products lack: the translation key of its value on a line, and the path that was searched. */
export interface MissingProductField {
  part: 'itemName' | 'sku' | 'weight' | 'imageUrl'
  path: string
}

/** The product field of each value on an exported line, by the translation key of that value. */
const exported = { itemName: 'name', sku: 'sku', weight: 'weight', imageUrl: 'image' } as const

/**
 * The product fields that the options name and that neither products nor variants have. Empty when the
 * store has its own `orders.map`, which fills the lines itself.
 */
export function missingProductFields({
  payload,
  options: names,
}: OrderShop): MissingProductField[] {
  const hasCarts = payload.collections[names.collections.carts] !== undefined
  if (!hasCarts || names.orders.map !== undefined) return []
  const { productsSlug, variantsSlug } = cartSchemaOf(payload, names)
  const slugs = variantsSlug === undefined ? [productsSlug] : [productsSlug, variantsSlug]
  return Object.entries(exported)
    .map(([part, name]) => ({
      part: part as keyof typeof exported,
      path: names.productFields[name],
    }))
    .filter(({ path }) => !slugs.some((slug) => fieldAt(payload, slug, path) !== undefined))
}
