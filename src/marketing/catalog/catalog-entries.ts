import { createHash } from 'node:crypto'
import type { CatalogAttributes, CatalogKind, CatalogWish } from '../klaviyo/catalog.js'
import { plainText } from '../events/property-values.js'
import type { Purchasable } from '../../carts/purchasables.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { productFeedItem, type ProductFeedView } from '../product-feed/product-feed-item.js'
import type { PublicProduct, PublicVariant } from '../product-feed/public-products.js'

/** An entry of the catalog as the shop wants it. */
export interface WantedEntry {
  kind: CatalogKind
  entryId: string
  /** The id of its product; blank for a category. */
  product: string
  /** Null: Klaviyo is to have nothing of it. */
  wish: CatalogWish | null
}

export const keyOf = ({ kind, entryId }: Pick<WantedEntry, 'kind' | 'entryId'>): string =>
  `${kind}:${entryId}`

/** The host by which the entries of this shop are told from those of another one, and from a merchant's own. */
export const shopMark = ({ baseUrl }: Pick<ProductFeedView, 'baseUrl'>): string =>
  new URL(baseUrl).host

/** A product without variants has one, because only variants have a stock. No variant has such an id. */
const onlyVariantId = (product: DocumentId): string => `product-${product}`

export const variantIdOf = ({ productId, variantId }: Purchasable): string =>
  variantId === undefined ? onlyVariantId(productId) : String(variantId)

export const isOnlyVariant = (entryId: string): boolean => entryId.startsWith('product-')

/** The entries of a product; none when Klaviyo could not show it. */
export function entriesOf(product: PublicProduct, view: ProductFeedView): WantedEntry[] {
  const item = productFeedItem(product, view)
  if (item === undefined) return []
  const { title, description, link: url, image_link: picture } = item
  // Events name a product by this id.
  const itemId = String(product.id)
  const shared = { title, description, url, image_full_url: picture, published: true }
  const categories = [...new Set(item.categories)].filter((name) => name !== '')
  const metadata = (of: typeof item) => ({
    shop: shopMark(view),
    ...(of.currency !== undefined && { currency: of.currency }),
    ...(of.compare_at_price !== undefined && { compare_at_price: of.compare_at_price }),
    ...(of.brand !== undefined && { brand: of.brand }),
  })
  const itemEntry: WantedEntry = {
    kind: 'item',
    entryId: itemId,
    product: itemId,
    wish: {
      attributes: { ...shared, price: item.price ?? null, custom_metadata: metadata(item) },
      categories: categories.map(categoryId),
    },
  }
  const variants = soldAs(product).flatMap(({ entryId, ...variant }): WantedEntry[] => {
    const own = productFeedItem({ ...product, ...present(variant) }, view)
    // Klaviyo takes no variant without a price.
    if (own?.price === undefined) return []
    const attributes = {
      ...shared,
      title: own.title,
      image_full_url: own.image_link,
      sku: own.sku ?? entryId,
      price: own.price,
      inventory_quantity: own.inventory_quantity ?? 0,
      // What is not counted may be recommended whatever the quantity.
      inventory_policy: own.inventory_quantity === undefined ? 2 : 1,
      custom_metadata: metadata(own),
    }
    const wish = { attributes, item: itemId }
    return [{ kind: 'variant', entryId, product: itemId, wish }]
  })
  return [...categories.map(categoryEntry), itemEntry, ...variants]
}

type Sold = Omit<PublicVariant, 'id'> & { entryId: string }

const soldAs = ({ variants, ...product }: PublicProduct): Sold[] =>
  variants?.map(({ id, ...variant }) => ({ ...variant, entryId: String(id) })) ?? [
    { ...product, entryId: onlyVariantId(product.id) },
  ]

/** What of a variant is blank is as its product has it. */
const present = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Values

/** A shop may have several documents of one name, and Klaviyo shows the name alone. */
const categoryId = (name: string): string =>
  createHash('sha256').update(name).digest('hex').slice(0, 24)

const categoryEntry = (name: string): WantedEntry => ({
  kind: 'category',
  entryId: categoryId(name),
  product: '',
  wish: { attributes: { name: plainText(name) } },
})

/** Whether Klaviyo is to know that nothing is left. */
export const isSoldOut = (wish: CatalogWish | null | undefined): boolean =>
  wish?.attributes.inventory_quantity === 0 && wish.attributes.inventory_policy === 1

/** Of what visitors can no longer see, but is still there. */
export const hidden = (wish: CatalogWish): CatalogWish => ({
  ...wish,
  attributes: { ...wish.attributes, published: false },
})

/** What is compared of each kind. Klaviyo may return more. */
const compared = {
  category: ['name'],
  item: ['title', 'description', 'url', 'image_full_url', 'price', 'published', 'custom_metadata'],
  variant: [
    ...['title', 'description', 'url', 'image_full_url', 'price', 'published', 'custom_metadata'],
    ...['sku', 'inventory_quantity', 'inventory_policy'],
  ],
} as const satisfies Record<CatalogKind, readonly string[]>

/** Two entries with the same digest are the same to Klaviyo's users. */
export const digestOf = (kind: CatalogKind, attributes: CatalogAttributes): string =>
  hashOf(compared[kind].map((name) => inOrder(attributes[name] ?? null)))

/** That of the attributes, then that of the categories, which Klaviyo does not list. */
export const digestOfWish = (kind: CatalogKind, { attributes, categories }: CatalogWish): string =>
  [digestOf(kind, attributes), ...(categories ? [hashOf([...categories].sort())] : [])].join('.')

/** What Klaviyo has, told by what is wanted: where the attributes agree, the categories are taken to agree. */
export const digestOfFound = (
  kind: CatalogKind,
  found: CatalogAttributes,
  wished: string | null,
): string => {
  const digest = digestOf(kind, found)
  return wished?.split('.')[0] === digest ? wished : digest
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

const inOrder = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    : value
