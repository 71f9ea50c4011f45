import type { PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import { callback, schemaOf, type OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import { orderFieldRows, type MappedOrder, type OrderDocument } from './order.js'
import type {
  CollectionSlugs,
  FieldNames,
  ProductFieldNames,
  OrderFieldName,
} from '../../core/shop-names.js'

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

const defaultCollections: CollectionSlugs = {
  orders: 'orders',
  carts: 'carts',
  transactions: 'transactions',
  addresses: 'addresses',
  sites: 'sites',
}

const defaultFields: FieldNames = {
  ...(Object.fromEntries(orderFieldRows.map(([name]) => [name, name])) as Record<
    OrderFieldName,
    string
  >),
  number: 'number',
  reference: 'reference',
  site: 'site',
  status: 'status',
  customer: 'customer',
  customerEmail: 'customerEmail',
  amount: 'amount',
  currency: 'currency',
  items: 'items',
  transactions: 'transactions',
  shippingAddress: 'shippingAddress',
  billingAddress: 'billingAddress',
  reason: 'reason',
  tracking: 'tracking',
}

export const defaultProductFields: ProductFieldNames = {
  name: 'title',
  sku: 'sku',
  weight: 'weight',
  weightUnit: 'weightUnit',
  length: 'length',
  width: 'width',
  height: 'height',
  dimensionUnit: 'dimensionUnit',
  location: 'location',
  image: 'image',
  slug: 'slug',
  description: 'description',
  categories: 'categories',
  brand: 'brand',
  compareAtPrice: 'compareAtPrice',
}

const name = z.string().check(z.minLength(1))

function namesLike<Name extends string>(defaults: Readonly<Record<Name, string>>) {
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
        depth: z._default(z.int().check(z.minimum(0), z.maximum(10)), 2),
      }),
      {},
    ),
  }),
)

export type OrderShop = Shop<OptionsOf<typeof orderOptions>>
