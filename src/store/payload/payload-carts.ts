import { sql } from 'drizzle-orm'
import type { BasePayload, Field, PayloadRequest, Where } from 'payload'
import type { CartLine } from '../../commerce/cart.js'
import type { DocumentId } from '../../commerce/order.js'
import type { Site } from '../../commerce/site.js'
import { createRecentlyUsed } from '../../http/recently-used.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { CartHolder, Carts, ChangingCart } from '../carts.js'
import type { Sites } from '../sites.js'
import type { Visitor } from '../visitor.js'
import { isAbleToLogIn } from './account-login.js'
import { toCart, toRows, type CartDocument, type CartSchema } from './cart-documents.js'
import { column, type Database } from './database.js'
import { idOf, setAt, valueAt } from './document-value.js'
import { inTransaction } from './in-transaction.js'
import { holdsOneSite } from './order-fields.js'
import { requestOf } from './payload-catalogue.js'
import { createGate, createTurns } from './turns.js'

export interface CartParts {
  payload: BasePayload
  database: Database
  options: ResolvedOptions
  schema: CartSchema
  sites: Sites
  /** Slug of the customers' collection; undefined where carts have no customers. */
  customersSlug: string | undefined
}

/**
 * Cart writes at once. The extension's hook reads each line's product on a second connection while
 * the write holds one, so a crowd of them would wait for itself on a small pool.
 */
const writesAtOnce = 4

/** New carts whose cookie may still be on its way to the browser. */
const rememberedCarts = 1000

type Change = (cart: ChangingCart) => CartLine[]

/** The extension's carts, written through Payload, so that a store's hooks run. */
export function createCarts(parts: CartParts): Carts {
  const { payload, options, schema } = parts
  const { carts: slug } = options.collections
  const turns = createTurns()
  const throughGate = createGate(writesAtOnce)
  const newCarts = createRecentlyUsed<DocumentId>(rememberedCarts)

  async function find(holder: CartHolder): Promise<CartDocument | undefined> {
    const req = await requestOf(payload, holder.visitor)
    const named = await findNamed(parts, holder, req)
    if (named) return named
    const customer = customerOf(holder.visitor, parts)
    return customer === undefined
      ? undefined
      : newestOf(parts, { customer, site: holder.site }, req)
  }

  /** Undefined when the cart is not open any more. */
  const rewrite = (id: DocumentId, holder: CartHolder, change: Change) =>
    turns.take(String(id), () => throughGate(() => rewriteLocked(parts, { id, holder, change })))

  /** A new cart begins empty, or with the lines of the one that it is a copy of. */
  async function create(
    { holder, key, copied }: { holder: CartHolder; key: string; copied: CartDocument | undefined },
    change: Change,
  ): Promise<CartDocument> {
    // A request of its own: the extension shows the new cart's secret in everything that it reads.
    const req = await requestOf(payload, holder.visitor)
    const before = copied && toCart(copied, options)
    const currency = before?.currency || schema.currency
    const lines = change({
      lines: before ? await withoutGone(before.lines, parts, req) : [],
      currency,
    })
    const data = cartData(undefined, { lines, holder }, parts)
    if (currency !== '') setAt(data, options.fields.currency, currency)
    if (holder.site && hasSite(parts)) setAt(data, options.fields.site, holder.site.id)
    const cart = await throughGate(() => payload.create({ collection: slug, data, depth: 0, req }))
    newCarts.set(key, cart.id)
    return cart
  }

  async function update(holder: CartHolder, change: Change): Promise<CartDocument> {
    const there = await find(holder)
    if (there && mayChange(holder.visitor, there, parts)) {
      return (await rewrite(there.id, holder, change)) ?? update(holder, change)
    }
    // Whose cart it is, nobody else changes: they go on with a copy.
    const key = there === undefined ? holder.sessionId : `${holder.sessionId} ${there.id}`
    const newcomer = `new ${customerOf(holder.visitor, parts) ?? key}`
    return turns.take(newcomer, async () => {
      const cartId = newCarts.get(key)
      const meanwhile = await find({ ...holder, cartId })
      const creation = { holder, key, copied: there }
      if (meanwhile === undefined) return create(creation, change)
      return (await rewrite(meanwhile.id, holder, change)) ?? create(creation, change)
    })
  }

  return {
    async find(holder) {
      const document = await find(holder)
      return document && toCart(document, options)
    },
    async update(holder, change) {
      return toCart(await update(holder, change), options)
    },
    async isOfAnotherStore({ cartId, site }) {
      const cart = await readOpen(parts, cartId, await requestOf(payload, undefined))
      return cart !== undefined && !(await isOfStore(site, cart, parts))
    },
    async adopt(holder) {
      const customer = customerOf(holder.visitor, parts)
      if (holder.cartId === undefined || customer === undefined) return
      const req = await requestOf(payload, holder.visitor)
      const cart = await readOpen(parts, holder.cartId, req)
      if (cart === undefined) return
      if (customerIn(cart, options) !== undefined) return
      if (!(await isOfStore(holder.site, cart, parts))) return
      try {
        await rewrite(cart.id, holder, ({ lines }) => lines)
      } catch (error) {
        // A hook of the store may refuse it. The cart is in the visitor's hands all the same.
        payload.logger.error({ err: error, cartId: cart.id }, 'A cart stays a guest’s')
      }
    },
  }
}

/** Reads and writes under a lock of the cart's row, where the database has such locks. */
async function rewriteLocked(
  parts: CartParts,
  { id, holder, change }: { id: DocumentId; holder: CartHolder; change: Change },
): Promise<CartDocument | undefined> {
  const { payload, database, options } = parts
  const { carts: slug } = options.collections
  const req = await requestOf(payload, holder.visitor)
  return inTransaction(database, req, async (own) => {
    if (!database.isSqlite) await lockRow(database, { slug, id, req: own })
    const document = await readOpen(parts, id, own)
    if (document === undefined) return undefined
    const lines = await withoutGone(change(toCart(document, options)), parts, own)
    const data = cartData(document, { lines, holder }, parts)
    return payload.update({ collection: slug, id, data, depth: 0, req: own })
  })
}

async function lockRow(
  database: Database,
  { slug, id, req }: { slug: string; id: DocumentId; req: PayloadRequest },
): Promise<void> {
  const table = database.table(slug)
  const connection = await database.within(req)
  await connection.rows(
    sql`select ${column(table, 'id')} from ${table} where ${column(table, 'id')} = ${id} for update`,
  )
}

/** What is written: the lines, and the customer where a guest's cart has become theirs. */
function cartData(
  document: CartDocument | undefined,
  { lines, holder }: { lines: readonly CartLine[]; holder: CartHolder },
  parts: CartParts,
): Record<string, unknown> {
  const { options } = parts
  const data: Record<string, unknown> = {}
  setAt(data, options.fields.items, toRows(lines, document, options))
  const customer = customerOf(holder.visitor, parts)
  if (customer === undefined) return data
  if (customerIn(document, options) === undefined) setAt(data, options.fields.customer, customer)
  return data
}

/** The extension cannot save a cart with a line whose product or variant was deleted. */
export async function withoutGone(
  lines: readonly CartLine[],
  { payload, schema }: Pick<CartParts, 'payload' | 'schema'>,
  req: PayloadRequest,
): Promise<CartLine[]> {
  const idsIn = async (slug: string | undefined, ids: (DocumentId | undefined)[]) => {
    const wanted = [...new Set(ids.filter((id) => id !== undefined))]
    if (slug === undefined || wanted.length === 0) return new Set<DocumentId>()
    const { docs } = await payload.find({
      collection: slug,
      where: { id: { in: wanted } },
      select: {},
      depth: 0,
      pagination: false,
      req,
    })
    return new Set<DocumentId>(docs.map(({ id }) => id))
  }
  const products = await idsIn(
    schema.productsSlug,
    lines.map(({ productId }) => productId),
  )
  const variants = await idsIn(
    schema.variantsSlug,
    lines.map(({ variantId }) => variantId),
  )
  const isThere = ({ productId, variantId }: CartLine) =>
    products.has(productId) && (variantId === undefined || variants.has(variantId))
  return lines.filter(isThere)
}

/** A cart that is not completed yet. */
async function readOpen(
  { payload, options }: CartParts,
  id: DocumentId | undefined,
  req: PayloadRequest,
): Promise<CartDocument | undefined> {
  if (id === undefined) return undefined
  const document: unknown = await payload.findByID({
    collection: options.collections.carts,
    id,
    depth: 0,
    disableErrors: true,
    req,
  })
  return document && !valueAt(document, 'purchasedAt') ? (document as CartDocument) : undefined
}

/** The cart that the session names. Its cart of one commerce store waits while another's is in use. */
async function findNamed(
  parts: CartParts,
  holder: CartHolder,
  req: PayloadRequest,
): Promise<CartDocument | undefined> {
  const { cartId, formerCartIds = [], site } = holder
  const cart = await readOpen(parts, cartId, req)
  if (cart === undefined) return undefined
  if (await isOfStore(site, cart, parts)) {
    return (await isIn(holder, cart, parts)) ? cart : undefined
  }
  for (const former of formerCartIds) {
    const waiting = await findNamed(parts, { ...holder, cartId: former, formerCartIds: [] }, req)
    if (waiting !== undefined) return waiting
  }
  return undefined
}

async function newestOf(
  parts: CartParts,
  { customer, site }: { customer: DocumentId; site: Site | undefined },
  req: PayloadRequest,
): Promise<CartDocument | undefined> {
  const { payload, options } = parts
  const { docs } = await payload.find({
    collection: options.collections.carts,
    where: {
      and: [
        { [options.fields.customer]: { equals: customer } },
        { purchasedAt: { exists: false } },
        ...(site && hasSite(parts) ? [await ofStore(site, parts)] : []),
      ],
    },
    depth: 0,
    limit: 1,
    pagination: false,
    sort: '-updatedAt',
    req,
  })
  return docs[0]
}

/** Carts of the commerce store that the site sells for, and those that are of no site. */
async function ofStore({ store }: Site, { options, sites }: CartParts): Promise<Where> {
  const { site } = options.fields
  const ids = (await sites.ofStore(store)).map(({ id }) => id)
  return { or: [{ [site]: { in: ids } }, { [site]: { exists: false } }] }
}

/** Whether the cart is of no other commerce store than the one that the site sells for. */
async function isOfStore(
  site: Site | undefined,
  document: CartDocument,
  { options, sites }: CartParts,
): Promise<boolean> {
  const own = await sites.find(idOf(valueAt(document, options.fields.site)))
  return own === undefined || site === undefined || own.store === site.store
}

/** Whether the cart that a session names is its holder's: nobody's, or their own. */
async function isIn(
  { visitor }: CartHolder,
  document: CartDocument,
  parts: CartParts,
): Promise<boolean> {
  const { payload, options, customersSlug } = parts
  const owner = customerIn(document, options)
  if (owner === undefined) return true
  const customer = customerOf(visitor, parts)
  if (customer !== undefined || customersSlug === undefined) return customer === owner
  // Of an account that nobody can log in to, a guest may have been given the cart back.
  return !(await isAbleToLogIn(payload, { collection: customersSlug, id: owner }))
}

/**
 * Whether the visitor may change the cart that they have. A guest's has a secret: one without is an
 * account's that nobody can log in to, or that was deleted.
 */
function mayChange(
  visitor: Visitor | undefined,
  document: CartDocument,
  parts: CartParts,
): boolean {
  if (customerOf(visitor, parts) !== undefined) return true
  const hasSecret = !parts.schema.hasSecrets || valueAt(document, 'secret') !== undefined
  return hasSecret && customerIn(document, parts.options) === undefined
}

const customerIn = (document: unknown, { fields }: ResolvedOptions): DocumentId | undefined =>
  idOf(valueAt(document, fields.customer))

const hasSite = (parts: CartParts): boolean => holdsOneSite(cartFieldsOf(parts), parts.options)

const cartFieldsOf = ({ payload, options }: CartParts): readonly Field[] =>
  payload.collections[options.collections.carts]?.config.fields ?? []

/** Staff of another collection are guests to a cart. */
const customerOf = (
  visitor: Visitor | undefined,
  { customersSlug }: CartParts,
): DocumentId | undefined => (visitor?.collection === customersSlug ? visitor?.id : undefined)
