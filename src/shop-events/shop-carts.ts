import { createLocalReq, type PayloadRequest, type Where } from 'payload'
import type { CartLine } from '../commerce/cart.js'
import type { DocumentId, LineItem } from '../commerce/order.js'
import type { NewSend } from '../delivery/send.js'
import { hashOf } from '../marketing/send-key.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { toCart, type CartDocument } from '../store/payload/cart-documents.js'
import { idOf, valueAt } from '../store/payload/document-value.js'
import { findField } from '../store/payload/field-search.js'
import { snapshotLines } from '../store/payload/line-snapshot.js'
import { toldStateField } from '../store/payload/order-fields.js'
import { isVerified } from '../store/payload/verified-account.js'
import { cartSend, type CartHappening } from './cart-send.js'
import type { EventContexts } from './event-context.js'
import type { CartSnapshot } from './order-hooks.js'
import type { Person } from './person.js'
import { guarded, type ShopParts } from './shop-parts.js'

/** A cart as it is stored: what a line costs is the product's to say. */
export type StoredCart = ReturnType<typeof readCart>

/** Emails of accounts by their ids. */
export type AccountEmails = ReadonlyMap<DocumentId | undefined, string>

export type ShopCarts = ReturnType<typeof createShopCarts>

/** Reads carts, and who is known to have them. */
export function createShopCarts(parts: ShopParts, contextOf: EventContexts) {
  const { payload, options, customersSlug } = parts
  const { collections, fields, productFields: names } = options
  const fieldsOf = (slug: string) => payload.collections[slug]?.config.fields ?? []
  const hasCheckouts = findField(fieldsOf(collections.transactions), 'cart') !== undefined
  const items = findField(fieldsOf(collections.carts), fields.items)
  const lineFields = items && 'fields' in items ? items.fields : []

  async function documents(
    collection: string,
    where: Where,
    req?: PayloadRequest,
  ): Promise<CartDocument[]> {
    const { docs } = await payload.find({
      collection,
      where,
      depth: 0,
      pagination: false,
      joins: false,
      sort: '-createdAt',
      ...(req && { req }),
    })
    return docs
  }

  /** Where accounts are to be verified, of those that are. */
  async function accountEmails(ids: readonly (DocumentId | undefined)[]): Promise<AccountEmails> {
    const known = ids.filter((id) => id !== undefined)
    if (customersSlug === undefined || known.length === 0) return new Map()
    const accounts = await documents(customersSlug, { id: { in: known } })
    return new Map(
      accounts
        .filter((account) => isVerified(payload, customersSlug, account))
        .map((account) => [account.id, textAt(account, 'email')]),
    )
  }

  /** What a line is, and costs, as its product says now. */
  async function snapshotOf(cart: StoredCart): Promise<CartSnapshot> {
    const { id, number, siteId, lines, subtotal: total, currency, updatedAt } = cart
    const rows = lines.map(({ productId: product, variantId: variant }) => ({
      product,
      ...(variant !== undefined && { variant }),
    }))
    const req = await createLocalReq({}, payload)
    const snapshots = await snapshotLines(rows, { currency, lineFields, names, req })
    return {
      id,
      number,
      ...(siteId !== undefined && { siteId }),
      lines: lines.map((line, index) => lineItem(line, snapshots[index] ?? {})),
      total,
      currency,
      updatedAt,
    }
  }

  return {
    documents,
    accountEmails,
    snapshotOf,

    read: async (where: Where, req?: PayloadRequest): Promise<StoredCart[]> =>
      (await documents(collections.carts, where, req)).map((cart) => readCart(cart, options)),

    /** By the account, else by the newest checkout that gave an email. */
    async people(
      carts: readonly StoredCart[],
    ): Promise<ReadonlyMap<DocumentId, Person | undefined>> {
      const ids = carts.map(({ id }) => id)
      const checkouts =
        hasCheckouts && ids.length > 0
          ? await documents(collections.transactions, { cart: { in: ids } })
          : []
      const emails = await accountEmails([
        ...carts.map(({ customerId }) => customerId),
        ...checkouts.map(({ customer }) => idOf(customer)),
      ])
      const personOf = ({ id, customerId }: StoredCart): Person | undefined => {
        const own = emails.get(customerId)
        if (own && customerId !== undefined) return { email: own, customerId }
        const email = checkouts
          .filter(({ cart }) => idOf(cart) === id)
          .map((checkout) => checkoutEmail(checkout, emails))
          .find(Boolean)
        return email === undefined ? undefined : { email }
      }
      return new Map(carts.map((cart) => [cart.id, personOf(cart)]))
    },

    /** What is sent of a cart as it is now; nothing where the store's own code fails at it. */
    sendOf: (cart: StoredCart, happening: CartHappening): Promise<NewSend | undefined> =>
      guarded(
        parts,
        async () => {
          const context = await contextOf({ siteId: cart.siteId, cartNumber: cart.number })
          return cartSend({ ...happening, cart: await snapshotOf(cart) }, context)
        },
        { about: { cartId: cart.id }, sentence: 'The event of a cart failed' },
      ),
  }
}

const readCart = (cart: CartDocument, options: ResolvedOptions) => ({
  ...toCart(cart, options),
  siteId: idOf(valueAt(cart, options.fields.site)),
  customerId: idOf(valueAt(cart, options.fields.customer)),
  updatedAt: new Date(String(cart.updatedAt)),
  /** What was last sent of it, in short; blank when nothing was. */
  sentState: textAt(cart, toldStateField),
})

/** What a cart holds, in short. A new name of a product is no change of the cart. */
export const stateOf = ({ lines, subtotal, currency }: StoredCart): string =>
  hashOf([
    lines
      .map(({ productId, variantId, quantity }) => JSON.stringify([productId, variantId, quantity]))
      .sort(),
    subtotal,
    currency,
  ])

/** What was given at a checkout, else that of its account. */
export const checkoutEmail = (checkout: CartDocument, emails: AccountEmails): string | undefined =>
  textAt(checkout, 'customerEmail') || emails.get(idOf(checkout.customer))

const lineItem = (
  { id, productId, quantity }: CartLine,
  snapshot: Partial<LineItem>,
): LineItem => ({
  ...(id !== undefined && { id }),
  productId,
  quantity,
  slug: snapshot.slug ?? '',
  sku: snapshot.sku ?? '',
  name: snapshot.name ?? '',
  unitPrice: snapshot.unitPrice ?? 0,
  weight: snapshot.weight ?? 0,
  weightUnit: snapshot.weightUnit ?? '',
  imageUrl: snapshot.imageUrl ?? '',
  options: snapshot.options ?? [],
})

export function textAt(document: unknown, path: string): string {
  const value = valueAt(document, path)
  return typeof value === 'string' ? value : ''
}
