import type { Properties } from '../klaviyo/profile.js'
import type { LineItem } from '../../shop/orders/order.js'
import type { ProductUrl } from '../../shop/sites/site.js'
import type { EventContext } from './event-context.js'
import { majorUnits, pictureUrl, plainText, presentValues, webUrl } from './property-values.js'

/** A product as events describe it: one of the shop, or one that a line item names. */
type DescribedProduct = Pick<
  LineItem,
  'productId' | 'slug' | 'sku' | 'name' | 'imageUrl' | 'unitPrice'
>

type ProductContext = Pick<EventContext, 'site' | 'baseUrl' | 'productUrl' | 'log'>

/** The properties of a product, with the keys of Klaviyo's own guide. `about` names it in the log. */
export function productProperties(
  { productId, slug = '', sku, ...product }: DescribedProduct,
  { currency, about }: { currency: string; about: Readonly<Record<string, unknown>> },
  context: ProductContext,
): Properties {
  return presentValues({
    ProductID: productId,
    SKU: plainText(sku),
    ProductName: plainText(product.name),
    Slug: plainText(slug),
    ItemPrice: majorUnits(product.unitPrice, currency),
    ProductURL: webUrl(productLink({ productId, slug, sku }, about, context), context),
    ImageURL: pictureUrl(product.imageUrl, context),
  })
}

/** When the store's `productUrl` throws, that is logged and only the link is missing. */
function productLink(
  product: Parameters<ProductUrl>[0],
  about: Readonly<Record<string, unknown>>,
  { productUrl, site, log }: ProductContext,
): string {
  try {
    return productUrl(product, site)
  } catch (error) {
    log.error({ err: error, ...about }, 'The productUrl option failed')
    return ''
  }
}
