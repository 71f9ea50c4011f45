import { createLocalReq, type BasePayload } from 'payload'
import type { LineItem } from '../commerce/order.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import type { CartSnapshot } from './order-hooks.js'
import { findField } from '../store/payload/field-search.js'
import { snapshotLines } from '../store/payload/line-snapshot.js'
import type { StoredCart, StoredLine } from './stored-carts.js'

export interface TakenCartsParts {
  payload: BasePayload
  options: Pick<ResolvedOptions, 'collections' | 'fields' | 'productFields'>
}

/** Takes carts as they are told: what a line is, and costs, as its product says now. */
export function createTakenCarts({ payload, options }: TakenCartsParts) {
  const { collections, fields, productFields } = options
  const cartFields = payload.collections[collections.carts]?.config.fields ?? []
  const items = findField(cartFields, fields.items)
  const lineFields = items && 'fields' in items ? items.fields : []

  return async (cart: StoredCart): Promise<CartSnapshot> => {
    const { id, number, siteId, total, currency, updatedAt } = cart
    // A line whose product is gone can be bought no more.
    const stored = cart.lines.filter(({ product }) => product !== undefined)
    const rows = stored.map(({ product, variant }) => ({ product, ...(variant && { variant }) }))
    const req = await createLocalReq({}, payload)
    const snapshots = await snapshotLines(rows, { currency, lineFields, names: productFields, req })
    return {
      id,
      number,
      ...(siteId !== undefined && { siteId }),
      lines: stored.map((line, index) => lineItem(line, snapshots[index] ?? {})),
      total,
      currency,
      updatedAt,
    }
  }
}

function lineItem({ id, product, quantity }: StoredLine, snapshot: Partial<LineItem>): LineItem {
  const { name, sku, slug, unitPrice, weight, weightUnit, imageUrl, options } = snapshot
  return {
    id,
    ...(product !== undefined && { productId: product }),
    slug: slug ?? '',
    sku: sku ?? '',
    name: name ?? '',
    quantity,
    unitPrice: unitPrice ?? 0,
    weight: weight ?? 0,
    weightUnit: weightUnit ?? '',
    imageUrl: imageUrl ?? '',
    options: options ?? [],
  }
}

export type TakenCarts = ReturnType<typeof createTakenCarts>
