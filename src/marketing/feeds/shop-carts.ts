import { sql } from 'drizzle-orm'
import { createLocalReq, type PayloadRequest, type Where } from 'payload'
import type { AccountEmails, FindAccountEmails } from './account-emails.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { NewSend } from '../delivery/send.js'
import { hashOf } from '../../core/signing.js'
import type { ShopNames } from '../../core/shop-names.js'
import {
  cartSchemaOf,
  toCart,
  type CartDocument,
  canBeBought,
  lineTable,
} from '../../carts/cart-documents.js'
import { column } from '../../core/database/database.js'
import { idOf, valueAt } from '../../core/payload/document-value.js'
import { snapshotLines } from '../../shop/orders/line-snapshot.js'
import { readLine } from '../../shop/orders/order-values.js'
import { exchangeIdField, sentStateField } from '../../shop/orders/order-fields.js'
import { cartSend } from '../events/event-sends.js'
import type { CartHappening } from '../events/event-table.js'
import { guarded } from './store-code.js'
import type { ContextOf } from './event-contexts.js'
import type { Shop } from '../../core/shop.js'
import type { CartSnapshot } from '../events/event-options.js'
import type { Person } from '../events/person.js'

/** A cart as it is stored. Names and prices are not in it: they are read from the products. */
export type StoredCart = ReturnType<typeof readCart>

export type ShopCarts = ReturnType<typeof createShopCarts>

export function createShopCarts(
  shop: Shop,
  { accountEmails, contextOf }: { accountEmails: FindAccountEmails; contextOf: ContextOf },
) {
  const { payload, database, options: names } = shop
  const { collections } = names
  const schema = cartSchemaOf(payload, names)
  const lineRows = lineTable(database, names)
  const hasCheckouts = payload.collections[collections.transactions] !== undefined

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

  /** With the current names and prices of the products. */
  async function snapshotOf(cart: StoredCart): Promise<CartSnapshot> {
    const { id, number, siteId, lines, currency, updatedAt } = cart
    const rows = lines.map(({ productId: product, variantId: variant, ...line }) => ({
      ...line,
      product,
      variant,
    }))
    const req = await createLocalReq({}, payload)
    const slug = collections.carts
    const snapshots = await snapshotLines(rows, { currency, slug, names, req })
    const left = snapshots.map((line) => readLine(line, ''))
    const sum = left.reduce((total, { unitPrice, quantity }) => total + unitPrice * quantity, 0)
    return {
      id,
      number,
      ...(siteId !== undefined && { siteId }),
      lines: left,
      total: cart.isPartial ? sum : cart.subtotal,
      currency,
      updatedAt,
    }
  }

  return {
    documents,
    accountEmails,
    snapshotOf,

    read: async (where: Where, req?: PayloadRequest): Promise<StoredCart[]> =>
      (await documents(collections.carts, where, req)).map((cart) => readCart(cart, names)),

    /** Leaves out lines whose products can no longer be bought. */
    async toBuy(carts: readonly StoredCart[]): Promise<readonly StoredCart[]> {
      if (lineRows === undefined || carts.length === 0) return carts
      const ids = carts.map(({ id }) => id)
      const rows = await database.rows(sql`select ${column(lineRows, 'id')} as "id" from ${lineRows}
        where ${database.isOneOf(column(lineRows, '_parentID'), ids)}
          and ${canBeBought(database, lineRows, schema)}`)
      const there = new Set(rows.map(({ id }) => String(id)))
      return carts.map((cart) => {
        const lines = cart.lines.filter(({ id }) => there.has(id ?? ''))
        return { ...cart, lines, isPartial: lines.length < cart.lines.length }
      })
    },

    /** The owner of each cart: its account, else the email of its newest checkout, else its exchange id. */
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
      const personOf = ({ id, customerId, exchangeId }: StoredCart): Person | undefined => {
        const own = emails.get(customerId)
        if (own?.email && customerId !== undefined)
          return { email: own.email, ...(own.isNamed && { customerId }) }
        const email = checkouts
          .filter(({ cart }) => idOf(cart) === id)
          .map((checkout) => checkoutEmail(checkout, emails))
          .find(Boolean)
        if (email !== undefined) return { email }
        return exchangeId === '' ? undefined : { exchangeId }
      }
      return new Map(carts.map((cart) => [cart.id, personOf(cart)]))
    },

    /** Undefined when there is none, or the store's own code fails. */
    sendOf: (
      cart: StoredCart,
      happening: CartHappening & { person: Person },
    ): Promise<NewSend | undefined> =>
      guarded(
        shop,
        async () => {
          const { siteId, number: cartNumber } = cart
          const context = await contextOf({ siteId, cartNumber })
          return cartSend({ ...happening, cart: await snapshotOf(cart) }, context)
        },
        { about: { cartId: cart.id }, sentence: 'The event of a cart failed' },
      ),
  }
}

const readCart = (cart: CartDocument, names: ShopNames) => ({
  ...toCart(cart, names),
  siteId: idOf(valueAt(cart, names.fields.site)),
  customerId: idOf(valueAt(cart, names.fields.customer)),
  updatedAt: new Date(String(cart.updatedAt)),
  /** A digest of what was sent last; blank when nothing was sent. */
  sentState: textAt(cart, sentStateField),
  exchangeId: textAt(cart, exchangeIdField),
  /** Lines were left out, so that the subtotal is that of more. */
  isPartial: false,
})

/** A digest of what a cart holds. It has no product names, as a renamed product is no change of the cart. */
export const stateOf = ({ lines, subtotal, currency }: StoredCart): string =>
  hashOf([
    lines
      .map(({ productId, variantId, quantity }) => JSON.stringify([productId, variantId, quantity]))
      .sort(),
    subtotal,
    currency,
  ])

export const checkoutEmail = (checkout: CartDocument, emails: AccountEmails): string | undefined =>
  textAt(checkout, 'customerEmail') || emails.get(idOf(checkout.customer))?.email

export function textAt(document: unknown, path: string): string {
  const value = valueAt(document, path)
  return typeof value === 'string' ? value : ''
}
