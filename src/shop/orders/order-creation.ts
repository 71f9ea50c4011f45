import type { OrderOrigin } from '../../core/feature.js'
import type {
  CollectionBeforeChangeHook,
  CollectionBeforeOperationHook,
  CollectionBeforeValidateHook,
  Field,
  PayloadRequest,
  SanitizedCollectionConfig,
} from 'payload'
import { hasDraftsEnabled } from 'payload/shared'
import type { DocumentId } from '../../core/database/document-id.js'
import type { ShopNames } from '../../core/shop-names.js'
import { acceptAmounts } from './amount-field.js'
import { idOf, setAt, valueAt } from '../../core/payload/document-value.js'
import { ownPath } from '../../core/payload/field-route.js'
import { findField } from '../../core/payload/field-search.js'
import { readValues } from './known-packages.js'
import { paidLines, readPaidLines, snapshotLines } from './line-snapshot.js'
import { orderFieldRows } from './order.js'
import { formerCustomerField, paidLinesField, restoredAtField } from './order-fields.js'
import type { Effects } from '../../core/effects.js'

/** A cart's or order's number: 32 hex digits that nobody can guess (`docs/interface.md` (Numbers and references)). */
const newNumber = ({ randomBytes }: Effects): string => Buffer.from(randomBytes(16)).toString('hex')

// Crockford's base 32: no I, L, O or U, so that nobody misreads it on the phone.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A candidate for an order's reference, such as `7K3Q-9DMA`: one of 1.1 × 10¹². */
function newReference({ randomBytes }: Effects): string {
  const characters = Array.from(randomBytes(8), (byte) => alphabet[byte % alphabet.length])
  return `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`
}

type Data = Record<string, unknown>

/** Stores the site that a new cart or order is made on, unless it has one already. */
export const rememberSite =
  (
    { fields }: ShopNames,
    siteOf: (req: PayloadRequest) => Promise<DocumentId | undefined>,
  ): CollectionBeforeValidateHook =>
  async ({ data, operation, req }) => {
    if (operation !== 'create' || data === undefined) return data
    const document: Data = { ...data }
    if (isBlank(valueAt(document, fields.site))) fill(document, fields.site, await siteOf(req))
    return document
  }

/** Gives every new cart its number, which nobody else can set. */
export const numberNewCart =
  ({ fields }: ShopNames, effects: Effects): CollectionBeforeChangeHook =>
  ({ data, operation }) => {
    if (operation === 'create' && valueAt(data, fields.number) === undefined) {
      setAt(data, fields.number, newNumber(effects))
    }
    return data
  }

/**
 * Keeps with a payment what its lines are when it begins, and again when its lines or its amount change: a
 * shopper may go on paying for days, and the order has what was paid for.
 */
export const rememberPaidLines =
  (names: ShopNames): CollectionBeforeChangeHook =>
  async ({ data, operation, originalDoc, req }) => {
    const payment: Data = { ...data }
    const before = operation === 'update' ? (originalDoc as Data) : undefined
    const isBegun = before === undefined || saleOf(before) !== saleOf(payment)
    payment[paidLinesField] = isBegun
      ? await paidLines(linesAt(payment), {
          currency: payment.currency,
          slug: names.collections.orders,
          names,
          req,
        })
      : before[paidLinesField]
    return payment
  }

const linesAt = ({ items }: Data): Data[] => (Array.isArray(items) ? (items as Data[]) : [])

/** What is bought and what it costs, as a text. */
const saleOf = (payment: Data): string =>
  JSON.stringify([
    payment.amount,
    payment.currency,
    linesAt(payment).map(({ product, variant, quantity }) => [
      idOf(product),
      idOf(variant),
      quantity,
    ]),
  ])

/** Publishes an order of the checkout where orders have drafts, as Payload drafts what comes without a `_status`. */
export const publishPaidOrder =
  ({ fields }: ShopNames): CollectionBeforeOperationHook =>
  ({ args, collection, operation }) => {
    if (operation !== 'create' || !hasDraftsEnabled(collection)) return args
    const { data, draft } = args as { data: Data; draft?: boolean }
    const isOpen = !draft && isBlank(data._status)
    return isOpen && isPaid(data, fields)
      ? { ...args, data: { ...data, _status: 'published' } }
      : args
  }

/** Whether the checkout has made an order: somebody has paid for it. */
export const isPaid = (order: unknown, { transactions }: ShopNames['fields']): boolean =>
  idOf([valueAt(order, transactions)].flat()[0]) !== undefined

/**
 * Completes a new order from its cart, from the transaction that paid for it and from the products as
 * they are now. Values that the order already has stay. `alsoFromCart` makes further values by their fields.
 */
export const completeNewOrder =
  (
    options: ShopNames,
    alsoFromCart: (origin: OrderOrigin) => Promise<Data>,
    effects: Effects,
  ): CollectionBeforeValidateHook =>
  async ({ collection, data, operation, req }) => {
    if (operation !== 'create' || data === undefined) return data
    const order: Data = { ...data }
    const { fields } = options

    const { cart, transaction } = await readOrigins(order, options, req)
    const accepted: unknown[] = []
    const later = redeemsCode(collection.fields, options) ? fields.discountCode : undefined
    req.context[codeOfCart] = later && valueAt(cart, later)
    for (const name of takenFromCart(options).filter((each) => each !== later)) {
      const own = ownPath(collection.fields, name)
      fill(order, own, withoutRowIds(valueAt(cart, own)))
      accepted.push(valueAt(cart, name))
    }
    const further = await alsoFromCart({ cart, order, req })
    for (const [name, value] of Object.entries(further)) fill(order, name, value)
    await nameOrder(order, valueAt(cart, fields.number), { collection, options, effects, req })
    const isRelated = findField(collection.fields, fields.billingAddress)?.type === 'relationship'
    for (const origin of [transaction, cart]) {
      const address = valueAt(origin, fields.billingAddress)
      fill(order, fields.billingAddress, isRelated ? notGroup(address) : withoutId(address))
    }

    accepted.push(...(await fillLines(order, transaction, { collection, names: options, req })))
    acceptAmounts(req, accepted)
    return order
  }

/** Gives the order's lines what their products were when they were paid. Returns the prices that it filled in. */
async function fillLines(
  order: Data,
  transaction: Data | undefined,
  {
    collection,
    names,
    req,
  }: { collection: SanitizedCollectionConfig; names: ShopNames; req: PayloadRequest },
): Promise<unknown[]> {
  const { fields } = names
  const lines = valueAt(order, fields.items)
  if (!Array.isArray(lines) || findField(collection.fields, fields.items)?.type !== 'array')
    return []
  const currency = valueAt(order, fields.currency)
  const isInCurrency = (currency ?? transaction?.currency) === transaction?.currency
  const snapshots = await snapshotLines(
    lines as Data[],
    { currency, slug: collection.slug, names, req },
    isInCurrency ? readPaidLines(transaction?.[paidLinesField]) : [],
  )
  setAt(order, fields.items, snapshots)
  const filled = snapshots.filter((_, index) => isBlank(valueAt(lines[index], 'unitPrice')))
  return filled.map(({ unitPrice }) => unitPrice)
}

const takenFromCart = ({ fields }: ShopNames): string[] => [
  fields.site,
  restoredAtField,
  formerCustomerField,
  ...orderFieldRows.flatMap(([name, { isOnCarts }]) => (isOnCarts ? [fields[name]] : [])),
]

/** Reads the order's transaction and its cart. Of a payment that was tried several times, it is the paid one. */
async function readOrigins(order: Data, { collections, fields }: ShopNames, req: PayloadRequest) {
  const read = async (collection: string, related: unknown): Promise<Data | undefined> => {
    const id = idOf(related)
    if (id === undefined || req.payload.collections[collection] === undefined) return undefined
    const found = await req.payload.findByID({ collection, id, depth: 0, disableErrors: true, req })
    return found ?? undefined
  }

  const transactions: Data[] = []
  for (const related of [valueAt(order, fields.transactions)].flat()) {
    const transaction = await read(collections.transactions, related)
    if (transaction) transactions.push(transaction)
  }
  const hasMoney = ({ status }: Data) => status === 'succeeded' || status === 'processing'
  const transaction = transactions.find(hasMoney) ?? transactions[0]
  const cart = await read(collections.carts, transaction?.cart)
  return { cart, transaction }
}

/**
 * Gives an order a number and a reference that no other order has. The number is its cart's, unless another order
 * has that already, as the original of a copied order does.
 */
async function nameOrder(
  order: Data,
  cartNumber: unknown,
  {
    collection,
    options,
    effects,
    req,
  }: {
    collection: SanitizedCollectionConfig
    options: ShopNames
    effects: Effects
    req: PayloadRequest
  },
): Promise<void> {
  const { collections, fields } = options
  const number = isBlank(valueAt(order, fields.number)) ? cartNumber : undefined
  const needsReference =
    isBlank(valueAt(order, fields.reference)) && !isNumberedByStore(collection.fields, options)
  const select = {}
  for (const path of [fields.number, fields.reference]) setAt(select, path, true)
  for (;;) {
    const reference = needsReference ? newReference(effects) : undefined
    const wanted = { [fields.number]: number, [fields.reference]: reference }
    const named = Object.entries(wanted).filter(([, name]) => !isBlank(name))
    // One statement for both, because the save waits for it.
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
    fill(order, fields.number, newNumber(effects))
    return
  }
}

/** Whether references come from the store's own code, as into a field of another type, or from a package. */
function isNumberedByStore(orderFields: readonly Field[], options: ShopNames): boolean {
  const type = findField(orderFields, options.fields.reference)?.type
  const isText = type === undefined || type === 'text' || type === 'textarea' || type === 'code'
  return !isText || readValues(orderFields, options).some(({ name }) => name === 'reference')
}

const codeOfCart = 'storeconnectDiscountCode'

/** Whether a package redeems the code that a new order begins with, which can fail after the payment. */
const redeemsCode = (orderFields: readonly Field[], options: ShopNames): boolean =>
  readValues(orderFields, options).some(({ name }) => name === 'discountCode')

/** Takes over what packages have made for a new order. The code of the cart comes when nobody redeems it any more. */
export const takeFromPackages =
  (options: ShopNames): CollectionBeforeChangeHook =>
  ({ collection, data, operation, req }) => {
    if (operation !== 'create') return data
    for (const { name, path, isTaken } of readValues(collection.fields, options)) {
      if (isTaken && name !== 'weight') fill(data, options.fields[name], valueAt(data, path))
    }
    fill(data, options.fields.discountCode, req.context[codeOfCart])
    return data
  }

function fill(order: Data, path: string, value: unknown): void {
  if (value !== undefined && isBlank(valueAt(order, path))) setAt(order, path, value)
}

/** A group of blank values is blank too, because the admin's form sends empty groups, and so is an empty list. */
const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === '' ||
  value === null ||
  (typeof value === 'object' && Object.values(value).every(isBlank))

/** The rows of a list get ids of their own in another document. */
const withoutRowIds = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((row: unknown) => (typeof row === 'object' ? withoutId(row) : row))
    : value

const notGroup = (value: unknown): unknown => (typeof value === 'object' ? undefined : value)

const withoutId = (group: unknown): unknown =>
  typeof group === 'object' && group !== null
    ? Object.fromEntries(Object.entries(group).filter(([name]) => name !== 'id'))
    : undefined
