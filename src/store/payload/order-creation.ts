import type {
  CollectionBeforeChangeHook,
  CollectionBeforeValidateHook,
  Field,
  PayloadRequest,
} from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import { acceptAmounts } from './amount-field.js'
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
    const accepted: unknown[] = []
    for (const name of takenFromCart(options)) {
      const value = valueAt(cart, name)
      fill(order, name, value)
      accepted.push(value)
    }
    await nameOrder(order, valueAt(cart, fields.number), { options, req })
    fill(order, fields.billingAddress, withoutId(valueAt(transaction, fields.billingAddress)))
    fill(order, fields.billingAddress, withoutId(valueAt(cart, fields.billingAddress)))

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
      const filled = snapshots.filter((_, index) => isBlank(valueAt(lines[index], 'unitPrice')))
      accepted.push(...filled.map(({ unitPrice }) => unitPrice))
    }
    acceptAmounts(req, accepted)
    return order
  }

const takenFromCart = ({ fields }: ResolvedOptions): string[] => [
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

/**
 * Gives an order the number of its cart, unless it is a copy of the order that the cart became, and a
 * reference. Of both it has one that no other has; for the reference the unique index has the last word.
 */
async function nameOrder(
  order: Data,
  cartNumber: unknown,
  { options: { collections, fields }, req }: { options: ResolvedOptions; req: PayloadRequest },
): Promise<void> {
  const number = isBlank(valueAt(order, fields.number)) ? cartNumber : undefined
  const needsReference = isBlank(valueAt(order, fields.reference))
  const select = {}
  for (const path of [fields.number, fields.reference]) setAt(select, path, true)
  for (;;) {
    const reference = needsReference ? newReference() : undefined
    const wanted = { [fields.number]: number, [fields.reference]: reference }
    const named = Object.entries(wanted).filter(([, name]) => !isBlank(name))
    // One statement, as saving the order waits for it.
    const { docs } =
      named.length === 0
        ? { docs: [] }
        : await req.payload.db.find({
            collection: collections.orders,
            where: { or: named.map(([path, name]) => ({ [path]: { equals: name } })) },
            select,
            pagination: false,
            joins: false,
            req,
          })
    const isFree = (path: string, name: unknown) =>
      docs.every((other) => valueAt(other, path) !== name)
    if (reference !== undefined && !isFree(fields.reference, reference)) continue
    fill(order, fields.reference, reference)
    if (isFree(fields.number, number)) fill(order, fields.number, number)
    fill(order, fields.number, newNumber())
    return
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
