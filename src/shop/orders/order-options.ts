import type { PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import { callback, schemaOf, type OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import { orderFieldRows, type MappedOrder, type OrderDocument } from './order.js'
import type { Refunds } from './refunds.js'
import type { CollectionSlugs, FieldNames, ProductFieldNames } from '../../core/shop-names.js'

/** Options for a store that keeps an order's data elsewhere. */
export interface OrderOptions {
  /**
   * For a store that keeps an order's data elsewhere: turns a document of `orders` into the order
   * that is exported and that events are about, in place of Storeconnect's own reading. Documents
   * come through `payload.find`, so reading them costs about ten times as much. An order for which it
   * throws, or whose `id` it changes, is listed among the skipped orders, and has no events until it is
   * read again.
   */
  map?: (
    document: OrderDocument,
    context: { req: PayloadRequest },
  ) => MappedOrder | Promise<MappedOrder>
  /** How deep the documents for `map` are populated, 0 to 10. Default 2. */
  depth?: number
  /**
   * For a store that keeps refunds in documents of their own: returns what was refunded of each line, in place of
   * `fields.refundedQuantity`. It is called whenever an order is read. An order for which it throws, or for which it
   * returns something else, is listed among the skipped orders (`REFUNDS_FAILED`), and has no events until it is read
   * again. ShipStation and Klaviyo read the orders that changed: save the order too when its refunds change.
   *
   * @example
   * orders: { refunds: async ({ id }, { req }) => (await returnsOf(id, req)).map(({ line, count }) => ({ id: line, quantity: count })) }
   */
  refunds?: Refunds
}

export interface GivenOrderOptions {
  /** The slugs of your collections, where they differ from the extension's. */
  collections?: Partial<CollectionSlugs>
  /** The names of the fields of orders and carts. Default of each: its own name. */
  fields?: Partial<FieldNames>
  /** The names of the fields of products and variants. */
  productFields?: Partial<ProductFieldNames>
  /**
   * Adds to products and variants the fields for SKU, weight and its unit that they have not, under the names in
   * `productFields`. Without ShipStation it is the SKU alone. Default `false`.
   */
  addProductFields?: boolean
  /** How orders are read. */
  orders?: OrderOptions
}

const defaultCollections: CollectionSlugs = ownNames(
  'orders',
  'carts',
  'transactions',
  'addresses',
  'sites',
)

export const defaultFields: FieldNames = {
  ...ownNames(...orderFieldRows.map(([field]) => field)),
  ...ownNames('number', 'reference', 'site', 'status', 'customer', 'customerEmail', 'amount'),
  ...ownNames('currency', 'items', 'transactions', 'shippingAddress', 'billingAddress', 'reason'),
  ...ownNames('tracking', 'refundedQuantity', 'refundedAmount'),
}

export const defaultProductFields: ProductFieldNames = {
  name: 'title',
  ...ownNames('sku', 'weight', 'weightUnit', 'length', 'width', 'height', 'dimensionUnit'),
  ...ownNames('location', 'image', 'slug', 'description', 'categories', 'brand', 'compareAtPrice'),
}

/** By default, what an option names has the name of the option. */
export function ownNames<Name extends string>(...names: Name[]): Record<Name, Name> {
  return Object.fromEntries(names.map((name) => [name, name])) as Record<Name, Name>
}

const name = z.string().check(z.minLength(1))

/** Options that are names, none of them blank. */
export function namesLike<Name extends string>(defaults: Readonly<Record<Name, string>>) {
  const schemas = Object.entries<string>(defaults).map(([key, byDefault]) => [
    key,
    z._default(name, byDefault),
  ])
  return Object.fromEntries(schemas) as Record<Name, z.ZodMiniDefault<typeof name>>
}

export const orderOptions = schemaOf<GivenOrderOptions>()(
  z.strictObject({
    collections: z.prefault(z.strictObject(namesLike(defaultCollections)), {}),
    fields: z.prefault(z.strictObject(namesLike(defaultFields)), {}),
    productFields: z.prefault(z.strictObject(namesLike(defaultProductFields)), {}),
    addProductFields: z._default(z.boolean(), false),
    orders: z.prefault(
      z.strictObject({
        map: z.optional(callback<OrderOptions['map']>()),
        refunds: z.optional(callback<OrderOptions['refunds']>()),
        depth: z._default(z.int().check(z.minimum(0), z.maximum(10)), 2),
      }),
      {},
    ),
  }),
)

export type OrderShop = Shop<OptionsOf<typeof orderOptions>>
