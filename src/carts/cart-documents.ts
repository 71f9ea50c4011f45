import type { BasePayload, Field } from 'payload'
import type { Cart, CartLine } from './cart.js'
import type { ShopNames } from '../core/shop-names.js'
import { idOf, valueAt, textOrNumber } from '../core/payload/document-value.js'
import { findField } from '../core/payload/field-search.js'
import { sql, type SQL } from 'drizzle-orm'
import {
  column,
  optionalColumn,
  type Database,
  type PayloadTable,
} from '../core/database/database.js'
import { publicationStatus } from '../core/database/publication-status.js'

export type CartDocument = Record<string, unknown> & { id: number | string }

/** Reads a document of `carts`, found at depth 0, as a `Cart`. */
export function toCart(document: CartDocument, { fields }: ShopNames): Cart {
  const { subtotal } = document
  return {
    id: document.id,
    number: textOrNumber(valueAt(document, fields.number)),
    lines: rowsOf(document, fields.items).flatMap(toLine),
    subtotal: typeof subtotal === 'number' && Number.isFinite(subtotal) ? subtotal : 0,
    currency: textOrNumber(valueAt(document, fields.currency)),
  }
}

/** Leaves out a row whose product was deleted. */
function toLine(row: Record<string, unknown>): CartLine[] {
  const productId = idOf(row.product)
  if (productId === undefined) return []
  const variantId = idOf(row.variant)
  return [{ id: textOrNumber(row.id), productId, variantId, quantity: Number(row.quantity) || 0 }]
}

/** Writes lines as rows. A store's own fields of a row keep their values. */
export function toRows(
  lines: readonly CartLine[],
  document: CartDocument | undefined,
  { fields }: ShopNames,
): Record<string, unknown>[] {
  const rows = new Map(rowsOf(document, fields.items).map((row) => [row.id, row]))
  return lines.map(({ id, productId, variantId, quantity }) => ({
    ...(id !== undefined && rows.get(id)),
    product: productId,
    ...(variantId !== undefined && { variant: variantId }),
    quantity,
  }))
}

export function rowsOf(document: unknown, items: string): Record<string, unknown>[] {
  const rows = valueAt(document, items)
  return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
}

/** What the fields of the carts' collection say about its lines. */
export interface CartSchema {
  productsSlug: string
  /** Undefined where products have no variants. */
  variantsSlug: string | undefined
  /** The currency of a new cart. */
  currency: string
  /** Whether guests' carts have a secret, with which the extension lets a guest read the cart. */
  hasSecrets: boolean
}

/** @throws {TypeError} when the carts have no lines with products. */
export function cartSchemaOf(payload: BasePayload, { collections, fields }: ShopNames): CartSchema {
  const cartFields = payload.collections[collections.carts]?.config.fields ?? []
  const productsSlug = relatedSlug(findField(cartFields, `${fields.items}.product`))
  if (productsSlug === undefined) {
    throw new TypeError(
      `storeConnect(): the lines of the collection "${collections.carts}" have no relationship "product".`,
    )
  }
  const currency = findField(cartFields, fields.currency)
  const preset: unknown = currency && 'defaultValue' in currency ? currency.defaultValue : undefined
  return {
    productsSlug,
    variantsSlug: relatedSlug(findField(cartFields, `${fields.items}.variant`)),
    currency: textOrNumber(preset),
    hasSecrets: findField(cartFields, 'secret') !== undefined,
  }
}

const relatedSlug = (field: Field | undefined): string | undefined =>
  field?.type === 'relationship' && typeof field.relationTo === 'string'
    ? field.relationTo
    : undefined

/** The rows of the lines of carts; undefined where the store keeps them in another way. */
export const lineTable = (
  database: Database,
  { collections, fields }: ShopNames,
): PayloadTable | undefined => database.optionalTable(collections.carts, ...fields.items.split('.'))

/** Whether a row names a product, or a variant, that is published and neither deleted nor in the trash. */
export function canBeBought(
  database: Database,
  lines: PayloadTable,
  { productsSlug, variantsSlug }: CartSchema,
): SQL {
  const isThere = (slug: string, name: string) => {
    const table = database.table(slug)
    const status = publicationStatus(database, table)
    const deletedAt = optionalColumn(table, 'deletedAt')
    return sql`exists (select 1 from ${table} where ${column(table, 'id')} = ${column(lines, name)}
      and ${status ? sql`${status} = 'published'` : sql`true`}
      and ${deletedAt ? sql`${deletedAt} is null` : sql`true`})`
  }
  const product = isThere(productsSlug, 'product')
  if (variantsSlug === undefined) return product
  return sql`(${product} and (${column(lines, 'variant')} is null or ${isThere(variantsSlug, 'variant')}))`
}
