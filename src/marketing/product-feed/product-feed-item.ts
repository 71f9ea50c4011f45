import type { ProductUrl, Site } from '../../shop/sites/site.js'
import { majorUnits, plainText, webUrl } from '../events/property-values.js'
import { imageUrl } from '../../shop/orders/line-snapshot.js'
import type { PublicProduct } from './public-products.js'

/**
 * A product with the names of Klaviyo's guide to custom catalog feeds
 * (https://developers.klaviyo.com/en/docs/guide_to_syncing_a_custom_catalog_feed_to_klaviyo). Klaviyo
 * wants a single level, and none of the first five blank.
 */
export interface ProductFeedItem {
  /** The same as `ProductID` in events, so that Klaviyo matches purchases with products. */
  id: string
  title: string
  link: string
  description: string
  image_link: string
  categories: string[]
  /** In major units of `currency`. */
  price?: number
  currency?: string
  /** The price before a reduction. */
  compare_at_price?: number
  brand?: string
  sku?: string
  inventory_quantity?: number
  /** 1: Klaviyo does not recommend a product that is out of stock. */
  inventory_policy?: 1
}

export interface ProductFeedView {
  site: Site | undefined
  /** The site's base URL; in a store without sites, its `serverURL`. */
  baseUrl: string
  currency: string
  productUrl: ProductUrl
}

/** Undefined for a product without a title, page or picture, because Klaviyo cannot show it. */
export function productFeedItem(
  { id, slug, sku, prices, compareAtPrices, stock, ...product }: PublicProduct,
  { site, baseUrl, currency, productUrl }: ProductFeedView,
): ProductFeedItem | undefined {
  const title = plainText(product.title)
  const link = webUrl(productUrl({ productId: id, slug, sku }, site), { baseUrl })
  const image = imageUrl(product.image, baseUrl)
  if (title === '' || link === '' || image === '') return undefined

  const amountIn = (amounts: Readonly<Record<string, number>>) =>
    majorUnits(amounts[currency] ?? Number.NaN, currency)
  const price = amountIn(prices)
  const compareAtPrice = amountIn(compareAtPrices)
  return {
    id: String(id),
    title,
    link,
    description: plainText(product.description) || title,
    image_link: image,
    categories: product.categories.map(plainText),
    ...(price !== undefined && { price, currency }),
    ...(compareAtPrice !== undefined && { compare_at_price: compareAtPrice }),
    ...(product.brand !== '' && { brand: plainText(product.brand) }),
    ...(sku !== '' && { sku: plainText(sku) }),
    ...(stock !== undefined && { inventory_quantity: stock, inventory_policy: 1 }),
  }
}
