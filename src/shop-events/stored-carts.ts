import type { BasePayload, PayloadRequest, Where } from 'payload'
import type { DocumentId } from '../commerce/order.js'
import { hashOf } from '../marketing/send-key.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { idOf, valueAt } from '../store/payload/document-value.js'
import { findField } from '../store/payload/field-search.js'
import { toldStateField } from '../store/payload/order-fields.js'
import { isVerified } from '../store/payload/verified-account.js'
import type { Person } from './person.js'

/** A line of a cart as it is stored: what it costs is the product's to say. */
export interface StoredLine {
  id: string
  product: DocumentId | undefined
  variant: DocumentId | undefined
  quantity: number
}

/** A cart as it is stored. */
export interface StoredCart {
  id: DocumentId
  number: string
  siteId: DocumentId | undefined
  currency: string
  total: number
  lines: StoredLine[]
  updatedAt: Date
  isPurchased: boolean
  customerId: DocumentId | undefined
  /** What was last told of it; undefined when nothing was. */
  toldState: string | undefined
}

export interface StoredCartsParts {
  payload: BasePayload
  options: Pick<ResolvedOptions, 'collections' | 'fields'>
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
}

/** What a cart holds, in short. A new name of a product is no change of the cart. */
export const stateOf = ({ lines, total, currency }: StoredCart): string =>
  hashOf([
    lines
      .map(({ product, variant, quantity }) => JSON.stringify([product, variant, quantity]))
      .sort(),
    total,
    currency,
  ])

/** Reads carts, and who is known to have them. */
export function createStoredCarts({ payload, options, customersSlug }: StoredCartsParts) {
  const { collections, fields } = options
  const checkoutFields = payload.collections[collections.transactions]?.config.fields ?? []
  const hasCheckouts = findField(checkoutFields, 'cart') !== undefined

  const documents = async (collection: string, where: Where, req?: PayloadRequest) => {
    const { docs } = await payload.find({
      collection,
      where,
      depth: 0,
      pagination: false,
      joins: false,
      sort: '-createdAt',
      ...(req && { req }),
    })
    return docs as unknown as Record<string, unknown>[]
  }

  const read = async (where: Where, req?: PayloadRequest): Promise<StoredCart[]> =>
    (await documents(collections.carts, where, req)).map((cart) => readCart(cart, fields))

  /** Emails of accounts; where they are to be verified, of those that are. */
  async function accountEmails(
    ids: readonly (DocumentId | undefined)[],
  ): Promise<ReadonlyMap<DocumentId, string>> {
    const known = ids.filter((id) => id !== undefined)
    if (customersSlug === undefined || known.length === 0) return new Map()
    const accounts = await documents(customersSlug, { id: { in: known } })
    return new Map(
      accounts
        .filter((account) => isVerified(payload, customersSlug, account))
        .map((account) => [account.id as DocumentId, textAt(account, 'email')]),
    )
  }

  return {
    read,
    documents,
    accountEmails,

    /** By the account, else by the newest checkout that gave an email. */
    async people(carts: readonly StoredCart[]): Promise<ReadonlyMap<DocumentId, Person>> {
      const ids = carts.map(({ id }) => id)
      const checkouts =
        hasCheckouts && ids.length > 0
          ? await documents(collections.transactions, { cart: { in: ids } })
          : []
      const emails = await accountEmails([
        ...carts.map(({ customerId }) => customerId),
        ...checkouts.map(({ customer }) => idOf(customer)),
      ])
      const emailOf = (checkout: Record<string, unknown>) =>
        textAt(checkout, 'customerEmail') || emails.get(idOf(checkout.customer) ?? '')
      const people = new Map<DocumentId, Person>()
      for (const { id, customerId } of carts) {
        const own = customerId === undefined ? undefined : emails.get(customerId)
        const given = checkouts.find((checkout) => idOf(checkout.cart) === id && emailOf(checkout))
        if (own && customerId !== undefined) people.set(id, { email: own, customerId })
        else if (given) people.set(id, { email: emailOf(given) ?? '' })
      }
      return people
    },
  }
}

export type StoredCarts = ReturnType<typeof createStoredCarts>

function readCart(cart: Record<string, unknown>, fields: ResolvedOptions['fields']): StoredCart {
  const lines = valueAt(cart, fields.items)
  return {
    id: cart.id as DocumentId,
    number: textAt(cart, fields.number),
    siteId: idOf(valueAt(cart, fields.site)),
    currency: textAt(cart, fields.currency),
    total: Number(cart.subtotal ?? 0),
    lines: Array.isArray(lines) ? lines.map(readLine) : [],
    updatedAt: new Date(String(cart.updatedAt)),
    isPurchased: Boolean(cart.purchasedAt),
    customerId: idOf(valueAt(cart, fields.customer)),
    toldState: textAt(cart, toldStateField) || undefined,
  }
}

const readLine = (line: unknown): StoredLine => ({
  id: String(valueAt(line, 'id')),
  product: idOf(valueAt(line, 'product')),
  variant: idOf(valueAt(line, 'variant')),
  quantity: Number(valueAt(line, 'quantity') ?? 0),
})

export function textAt(document: unknown, path: string): string {
  const value = valueAt(document, path)
  return typeof value === 'string' ? value : ''
}
