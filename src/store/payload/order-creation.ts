import type {
  CollectionBeforeChangeHook,
  CollectionBeforeValidateHook,
  Field,
  PayloadRequest,
} from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import { idOf, setAt, valueAt } from './document-value.js'
import { findField } from './field-search.js'
import { snapshotLines } from './line-snapshot.js'
import { newNumber, newReference } from './random-names.js'

type Data = Record<string, unknown>

/** The site that a request was made on; undefined in a store without sites. */
export type SiteOf = (req: PayloadRequest) => Promise<DocumentId | undefined>

/** Has a new cart or order remember the site that it was made on. What it already says stays. */
export const rememberSite =
  ({ fields }: ResolvedOptions, siteOf: SiteOf): CollectionBeforeValidateHook =>
  async ({ data, operation, req }) => {
    if (operation !== 'create' || data === undefined) return data
    const document: Data = { ...data }
    if (isBlank(valueAt(document, fields.site))) fill(document, fields.site, await siteOf(req))
    return document
  }

/** Gives every new cart its number. Nobody else can set it. */
export const numberNewCart =
  ({ fields }: ResolvedOptions): CollectionBeforeChangeHook =>
  ({ data, operation }) => {
    if (operation === 'create' && valueAt(data, fields.number) === undefined) {
      setAt(data, fields.number, newNumber())
    }
    return data
  }

/**
 * Completes a new order: from the cart that it was, from the transaction that paid for it and from
 * the products as they are now. What the order already says stays.
 */
export const completeNewOrder =
  (options: ResolvedOptions, orderFields: readonly Field[]): CollectionBeforeValidateHook =>
  async ({ data, operation, req }) => {
    if (operation !== 'create' || data === undefined) return data
    const order: Data = { ...data }
    const { fields } = options

    const { cart, transaction } = await readOrigins(order, options, req)
    for (const name of takenFromCart(options)) fill(order, name, valueAt(cart, name))
    fill(order, fields.billingAddress, withoutId(valueAt(transaction, fields.billingAddress)))
    fill(order, fields.billingAddress, withoutId(valueAt(cart, fields.billingAddress)))
    fill(order, fields.number, newNumber())
    if (isBlank(valueAt(order, fields.reference))) {
      setAt(order, fields.reference, await freeReference(options, req))
    }

    const items = findField(orderFields, fields.items)
    const lines = valueAt(order, fields.items)
    if (Array.isArray(lines) && items && 'fields' in items) {
      const snapshots = await snapshotLines(lines as Data[], {
        currency: valueAt(order, fields.currency),
        lineFields: items.fields,
        names: options.productFields,
        req,
      })
      setAt(order, fields.items, snapshots)
    }
    return order
  }

const takenFromCart = ({ fields }: ResolvedOptions): string[] => [
  fields.number,
  fields.site,
  fields.shippingAmount,
  fields.taxAmount,
  fields.discountAmount,
  fields.discountCode,
  fields.shippingMethod,
  fields.customerNotes,
  fields.gift,
  fields.giftMessage,
]

/** The order's first transaction and the cart that it was for; `req` keeps to their transaction. */
async function readOrigins(
  order: Data,
  { collections, fields }: ResolvedOptions,
  req: PayloadRequest,
) {
  const read = async (collection: string, id: ReturnType<typeof idOf>) =>
    id === undefined || req.payload.collections[collection] === undefined
      ? undefined
      : req.payload.findByID({ collection, id, depth: 0, disableErrors: true, req })

  const transactions = [valueAt(order, fields.transactions)].flat()
  const transaction = await read(collections.transactions, idOf(transactions[0]))
  const cart = await read(collections.carts, idOf(valueAt(transaction, 'cart')))
  return { cart, transaction }
}

/** A reference that no order has. The unique index has the last word. */
async function freeReference(
  { collections, fields }: ResolvedOptions,
  req: PayloadRequest,
): Promise<string> {
  for (;;) {
    const reference = newReference()
    const { totalDocs } = await req.payload.count({
      collection: collections.orders,
      where: { [fields.reference]: { equals: reference } },
      req,
    })
    if (totalDocs === 0) return reference
  }
}

function fill(order: Data, path: string, value: unknown): void {
  if (value !== undefined && isBlank(valueAt(order, path))) setAt(order, path, value)
}

/** A group that the admin's form sent along empty is blank too. */
const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === '' ||
  value === null ||
  (typeof value === 'object' && !Array.isArray(value) && Object.values(value).every(isBlank))

const withoutId = (group: unknown): unknown =>
  typeof group === 'object' && group !== null
    ? Object.fromEntries(Object.entries(group).filter(([name]) => name !== 'id'))
    : undefined
