import type { ProductUrl } from '../../commerce/product-url.js'
import type { Site } from '../../commerce/site.js'
import { majorUnits, plainText, webUrl } from '../../shop-events/property-values.js'
import type { FeedProduct } from '../../store/product-feed.js'
import { imageUrl } from '../order-export/image-url.js'

/**
 * A product by the names of the platform's guide to custom catalog feeds
 * (https://developers.klaviyo.com/en/docs/guide_to_syncing_a_custom_catalog_feed_to_klaviyo): one
 * level deep, and none of the first five may be blank.
 */
export interface FeedItem {
  /** As `ProductID` in events, so that the platform knows what was bought. */
  id: string
  title: string
  link: string
  description: string
  image_link: string
  categories: string[]
  /** In major units. */
  price?: number
  currency?: string
  sku?: string
  inventory_quantity?: number
  /** 1: what is out of stock is not recommended. */
  inventory_policy?: 1
}

/** Where and how products are shown. */
export interface FeedView {
  site: Site | undefined
  /** The site's, or what stands in where the store has no sites. */
  baseUrl: string
  currency: string
  productUrl: ProductUrl
}

/** Undefined for a product without a title, a page or a picture: the platform cannot show it. */
export function feedItem(
  { id, slug, sku, prices, stock, ...product }: FeedProduct,
  { site, baseUrl, currency, productUrl }: FeedView,
): FeedItem | undefined {
  const title = plainText(product.title)
  const link = webUrl(productUrl({ productId: id, slug, sku }, site), { baseUrl })
  const image = imageUrl(product.image, baseUrl)
  if (title === '' || link === '' || image === '') return undefined

  const price = prices[currency] === undefined ? undefined : majorUnits(prices[currency], currency)
  return {
    id: String(id),
    title,
    link,
    description: plainText(product.description) || title,
    image_link: image,
    categories: product.categories.map(plainText),
    ...(price !== undefined && { price, currency }),
    ...(sku !== '' && { sku: plainText(sku) }),
    ...(stock !== undefined && { inventory_quantity: stock, inventory_policy: 1 }),
  }
}
