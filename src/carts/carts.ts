import type { PayloadRequest } from 'payload'
import type { CartLine, Cart } from './cart.js'
import type { DocumentId } from '../core/database/document-id.js'
import { createRecentlyUsed } from '../core/database/cached-value.js'
import type { Visitor } from '../core/http/visit.js'
import { setAt, valueAt } from '../core/payload/document-value.js'
import { toCart, toRows, type CartDocument } from './cart-documents.js'
import { noteInDocument } from '../core/database/document-tables.js'
import { inTransaction, lockRow } from '../core/database/in-transaction.js'
import {
  customerIn,
  customerOf,
  findCart,
  hasSite,
  isOfCommerceStore,
  readOpen,
  type CartHolder,
  type CartShop,
} from './find-cart.js'
import { requestOf } from './purchasables.js'
import { createGate, createTurns } from '../core/database/turns.js'
import { exchangeIdField } from '../shop/orders/order-fields.js'

/** What the extension's code in a browser needs to read a cart. */
export interface BrowserCart {
  id: DocumentId
  /** The secret that opens a guest's cart. A customer's cart has none, as the login opens it. */
  secret?: string
}

/** The parts of a cart that a change of its lines needs. */
export type ChangingCart = Pick<Cart, 'lines' | 'currency'>

/**
 * The most simultaneous writes of carts. Each needs a second connection for the extension's hook, and a pool may be
 * small.
 */
const writesAtOnce = 4

/** How many new carts are remembered, as the next request may come before the browser has the cookie. */
const rememberedCarts = 1000

type Change = (cart: ChangingCart) => CartLine[]

export type Carts = ReturnType<typeof createCarts>

/** Finds and changes the extension's carts through Payload, so that the store's hooks run. */
export function createCarts(shop: CartShop) {
  const { payload, database, options, schema, log } = shop
  const { carts: slug } = options.collections
  const turns = createTurns()
  const throughGate = createGate(writesAtOnce)
  const newCarts = createRecentlyUsed<DocumentId>(rememberedCarts)

  /** Undefined when the cart is no longer open. */
  const rewrite = (id: DocumentId, holder: CartHolder, change: Change) =>
    turns.take(String(id), () => throughGate(() => rewriteLocked(id, holder, change)))

  /** Changes a cart's lines while its row is locked, on databases that can lock rows. */
  async function rewriteLocked(
    id: DocumentId,
    holder: CartHolder,
    change: Change,
  ): Promise<CartDocument | undefined> {
    const req = await requestOf(payload, holder.visitor)
    return inTransaction(database, req, async (own) => {
      await lockRow(database, { slug, id, req: own })
      const document = await readOpen(shop, id, own)
      if (document === undefined) return undefined
      const lines = await withoutDeletedProducts(change(toCart(document, options)), shop, own)
      const data = cartData(document, { lines, holder }, shop)
      return payload.update({ collection: slug, id, data, depth: 0, req: own })
    })
  }

  /** Creates a cart, which is empty or a copy of another one before the change. */
  async function create(
    { holder, key, copied }: { holder: CartHolder; key: string; copied: CartDocument | undefined },
    change: Change,
  ): Promise<CartDocument> {
    // A request of its own, as the extension then shows the new cart's secret in all reads of the request.
    const req = await requestOf(payload, holder.visitor)
    const before = copied && toCart(copied, options)
    const currency = before?.currency || schema.currency
    const lines = change({
      lines: before ? await withoutDeletedProducts(before.lines, shop, req) : [],
      currency,
    })
    const data = cartData(undefined, { lines, holder }, shop)
    if (currency !== '') setAt(data, options.fields.currency, currency)
    if (holder.site && hasSite(shop)) setAt(data, options.fields.site, holder.site.id)
    const cart = await throughGate(() =>
      // Payload begins a transaction of its own.
      database.inTurn(() => payload.create({ collection: slug, data, depth: 0, req })),
    )
    newCarts.set(key, cart.id)
    return cart
  }

  async function update(holder: CartHolder, change: Change): Promise<CartDocument> {
    const there = await findCart(shop, holder)
    if (there && mayChange(holder.visitor, there, shop)) {
      return (await rewrite(there.id, holder, change)) ?? update(holder, change)
    }
    // A visitor who may not change the cart goes on with a copy.
    const key = there === undefined ? holder.sessionId : `${holder.sessionId} ${there.id}`
    const newcomer = `new ${customerOf(holder.visitor, shop) ?? key}`
    return turns.take(newcomer, async () => {
      const cartId = newCarts.get(key)
      const meanwhile = await findCart(shop, { ...holder, cartId })
      const creation = { holder, key, copied: there }
      if (meanwhile === undefined) return create(creation, change)
      return (await rewrite(meanwhile.id, holder, change)) ?? create(creation, change)
    })
  }

  /** The open cart that the session names, if it is a guest's. */
  async function findGuestCart({ cartId, visitor }: CartHolder): Promise<CartDocument | undefined> {
    const cart = await readOpen(shop, cartId, await requestOf(payload, visitor))
    return cart && customerIn(cart, options) === undefined ? cart : undefined
  }

  /** Saves a cart with what the holder gives it. A hook of the store may refuse, which is logged. */
  async function saveFor(holder: CartHolder, { id }: CartDocument, failure: string): Promise<void> {
    try {
      await rewrite(id, holder, ({ lines }) => lines)
    } catch (error) {
      log.error({ err: error, cartId: id }, failure)
    }
  }

  return {
    async find(holder: CartHolder): Promise<Cart | undefined> {
      const document = await findCart(shop, holder)
      return document && toCart(document, options)
    },
    /** Like `find`, but finds no cart of another account. */
    async findForBrowser(holder: CartHolder): Promise<BrowserCart | undefined> {
      const document = await findCart(shop, holder)
      if (document === undefined) return undefined
      const { id, secret } = document
      const owner = customerIn(document, options)
      if (owner !== undefined) {
        return customerOf(holder.visitor, shop) === owner ? { id } : undefined
      }
      return typeof secret === 'string' ? { id, secret } : { id }
    },
    /**
     * Replaces the lines of the holder's cart, or of a new one on the holder's site, by the result of `change`. When
     * the holder is a customer, a guest's cart becomes the customer's.
     *
     * @throws what `change` throws.
     */
    async update(holder: CartHolder, change: Change): Promise<Cart> {
      return toCart(await update(holder, change), options)
    },
    /** Whether the cart that the session names belongs to another commerce store. */
    async isOfAnotherCommerceStore({
      cartId,
      site,
    }: Pick<CartHolder, 'cartId' | 'site'>): Promise<boolean> {
      const cart = await readOpen(shop, cartId, await requestOf(payload, undefined))
      return cart !== undefined && !(await isOfCommerceStore(site, cart, shop))
    },
    /**
     * Makes the guest's cart that the session names the customer's, and removes its secret, so that no guest can read
     * it.
     */
    async adopt(holder: CartHolder): Promise<void> {
      if (customerOf(holder.visitor, shop) === undefined) return
      const cart = await findGuestCart(holder)
      if (cart === undefined || !(await isOfCommerceStore(holder.site, cart, shop))) return
      await saveFor(holder, cart, 'A cart stays a guest’s')
    },
    /**
     * Notes with the guest's cart who the visitor is to Klaviyo. The cart counts as changed, so that its events
     * follow.
     */
    async identify(holder: CartHolder): Promise<void> {
      const { exchangeId, visitor } = holder
      if (customerOf(visitor, shop) !== undefined || exchangeId === undefined) return
      const cart = await findGuestCart(holder)
      if (cart === undefined || cart[exchangeIdField] === exchangeId) return
      await saveFor(holder, cart, 'A cart stays anonymous')
    },
    /** Removes the exchange id from all carts that the session names. */
    async forgetVisitor({ cartId, formerCartIds = [] }: CartHolder): Promise<void> {
      const req = await requestOf(payload, undefined)
      for (const id of [cartId, ...formerCartIds]) {
        const cart = await readOpen(shop, id, req)
        if (cart === undefined || !cart[exchangeIdField]) continue
        await turns.take(String(cart.id), () =>
          noteInDocument(database, { slug, id: cart.id, values: { [exchangeIdField]: null } }),
        )
      }
    },
  }
}

/**
 * The data to write: the lines, the customer when a guest's cart becomes theirs, and the exchange id while it is a
 * guest's.
 */
function cartData(
  document: CartDocument | undefined,
  { lines, holder }: { lines: readonly CartLine[]; holder: CartHolder },
  shop: CartShop,
): Record<string, unknown> {
  const { options } = shop
  const data: Record<string, unknown> = {}
  setAt(data, options.fields.items, toRows(lines, document, options))
  const customer = customerOf(holder.visitor, shop)
  if (customerIn(document, options) !== undefined) return data
  if (customer !== undefined) {
    setAt(data, options.fields.customer, customer)
    if (document?.[exchangeIdField]) data[exchangeIdField] = null
  } else if ((document?.[exchangeIdField] ?? undefined) !== holder.exchangeId) {
    data[exchangeIdField] = holder.exchangeId ?? null
  }
  return data
}

/** Leaves out lines whose product or variant was deleted: the extension cannot save a cart with one. */
export async function withoutDeletedProducts(
  lines: readonly CartLine[],
  { payload, schema }: Pick<CartShop, 'payload' | 'schema'>,
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
  return lines.filter(
    ({ productId, variantId }) =>
      products.has(productId) && (variantId === undefined || variants.has(variantId)),
  )
}

/** Whether the visitor may change the found cart. A cart without a secret is or was an account's, and no guest may. */
function mayChange(visitor: Visitor | undefined, document: CartDocument, shop: CartShop): boolean {
  if (customerOf(visitor, shop) !== undefined) return true
  const hasSecret = !shop.schema.hasSecrets || valueAt(document, 'secret') !== undefined
  return hasSecret && customerIn(document, shop.options) === undefined
}
