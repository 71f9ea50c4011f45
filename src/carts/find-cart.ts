import type { PayloadRequest, Where } from 'payload'
import type { DocumentId } from '../core/database/document-id.js'
import type { SessionData } from '../core/http/session.js'
import type { Visitor } from '../core/http/visit.js'
import { hasOneSite } from '../shop/orders/order-fields.js'
import type { ShopNames } from '../core/shop-names.js'
import { idOf, isAbleToLogIn, valueAt } from '../core/payload/document-value.js'
import type { Sites } from '../shop/sites/sites.js'
import type { Shop } from '../core/shop.js'
import type { Site } from '../shop/sites/site.js'
import type { CartDocument, CartSchema } from './cart-documents.js'
import { requestOf } from './purchasables.js'

/** The visitor for whom a cart is found or changed. */
export interface CartHolder {
  /** The id of the visitor's session. It tells visitors without a cart apart. */
  sessionId: string
  /** The cart that the session names. */
  cartId: DocumentId | undefined
  /** The carts that the session named before. One is used while `cartId` belongs to another commerce store. */
  formerCartIds?: readonly DocumentId[] | undefined
  visitor: Visitor | undefined
  /** The site that the visitor is on; undefined in a store without sites. */
  site: Site | undefined
  /** Who the visitor is to Klaviyo. A guest's cart remembers it. */
  exchangeId?: string | undefined
}

export const cartHolder = (
  { id: sessionId, cartId, formerCartIds, exchangeId }: Readonly<SessionData>,
  { visitor, site }: Pick<CartHolder, 'visitor' | 'site'>,
): CartHolder => ({ sessionId, cartId, formerCartIds, visitor, site, exchangeId })

/** The shop with what is known about its carts. */
export interface CartShop extends Shop {
  schema: CartSchema
  sites: Sites
}

/**
 * Finds the holder's cart: the open one of the session that belongs to nobody else, or the customer's own open cart
 * that changed last. A cart of another commerce store does not count.
 */
export async function findCart(
  shop: CartShop,
  holder: CartHolder,
): Promise<CartDocument | undefined> {
  const req = await requestOf(shop.payload, holder.visitor)
  return (await findNamed(shop, holder, req)) ?? newestOf(shop, holder, req)
}

/** Reads a cart; undefined when it does not exist or was bought. */
export async function readOpen(
  { payload, options }: Pick<Shop, 'payload' | 'options'>,
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

/** The cart that the session names; when it belongs to another commerce store, an earlier one that fits. */
async function findNamed(
  shop: CartShop,
  holder: CartHolder,
  req: PayloadRequest,
): Promise<CartDocument | undefined> {
  const { cartId, formerCartIds = [], site } = holder
  const cart = await readOpen(shop, cartId, req)
  if (cart === undefined) return undefined
  if (await isOfCommerceStore(site, cart, shop)) {
    return (await belongsTo(holder, cart, shop)) ? cart : undefined
  }
  for (const former of formerCartIds) {
    const waiting = await findNamed(shop, { ...holder, cartId: former, formerCartIds: [] }, req)
    if (waiting !== undefined) return waiting
  }
  return undefined
}

async function newestOf(
  shop: CartShop,
  { visitor, site }: CartHolder,
  req: PayloadRequest,
): Promise<CartDocument | undefined> {
  const { payload, options } = shop
  const customer = customerOf(visitor, shop)
  if (customer === undefined) return undefined
  const { docs } = await payload.find({
    collection: options.collections.carts,
    where: {
      and: [
        { [options.fields.customer]: { equals: customer } },
        { purchasedAt: { exists: false } },
        ...(site && hasSite(shop) ? [await ofCommerceStore(site, shop)] : []),
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

/** The condition for carts of the site's commerce store, and carts without a site. */
async function ofCommerceStore({ store }: Site, { options, sites }: CartShop): Promise<Where> {
  const { site } = options.fields
  const ids = (await sites.ofCommerceStore(store)).map(({ id }) => id)
  return { or: [{ [site]: { in: ids } }, { [site]: { exists: false } }] }
}

/** Whether the cart belongs to the site's commerce store; true when the cart or the visitor has no site. */
export async function isOfCommerceStore(
  site: Site | undefined,
  document: CartDocument,
  { options, sites }: CartShop,
): Promise<boolean> {
  const own = await sites.find(idOf(valueAt(document, options.fields.site)))
  return own === undefined || site === undefined || own.store === site.store
}

/** Whether the cart has no owner, or the holder is its owner. */
async function belongsTo(
  { visitor }: CartHolder,
  document: CartDocument,
  shop: CartShop,
): Promise<boolean> {
  const { payload, options, customersSlug } = shop
  const owner = customerIn(document, options)
  if (owner === undefined) return true
  const customer = customerOf(visitor, shop)
  if (customer !== undefined || customersSlug === undefined) return customer === owner
  // A restore link gives a guest the cart of an account that nobody can log in to.
  return !(await isAbleToLogIn(payload, { collection: customersSlug, id: owner }))
}

export const customerIn = (document: unknown, { fields }: ShopNames): DocumentId | undefined =>
  idOf(valueAt(document, fields.customer))

export const hasSite = ({ payload, options }: CartShop): boolean =>
  hasOneSite(payload.collections[options.collections.carts]?.config.fields ?? [], options)

/** Undefined for users of another collection, such as staff: they count as guests. */
export const customerOf = (
  visitor: Visitor | undefined,
  { customersSlug }: Pick<Shop, 'customersSlug'>,
): DocumentId | undefined => (visitor?.collection === customersSlug ? visitor?.id : undefined)
