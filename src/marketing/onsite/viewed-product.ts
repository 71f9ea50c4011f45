import type { PublicProduct, PublicProducts } from '../product-feed/public-products.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { majorUnits, plainText, presentValues } from '../events/property-values.js'
import type { MarketingEvent } from '../klaviyo/message.js'
import type { Properties } from '../klaviyo/profile.js'
import { eventThroughHook } from '../klaviyo/through-hooks.js'
import { valueOf, withPrefix } from '../events/event-sends.js'
import type { EventContext } from '../events/event-context.js'
import { pageEvents } from '../events/event-table.js'
import type { FeedsParts } from '../feeds/parts.js'
import { productProperties } from '../events/subject-properties.js'
import { onsiteEvent, type OnsiteEvent } from './onsite-event.js'

export interface ViewedProductPage {
  productId: DocumentId
  siteId: DocumentId | undefined
  /** Default: the store's default currency. */
  currency?: string | undefined
}

export type ReadViewedProduct = (page: ViewedProductPage) => Promise<OnsiteEvent | undefined>

/**
 * Makes Viewed Product as every visitor sees the product, so that a static page can hold it. Undefined when
 * the product is not published, or a hook of the store vetoes the event or fails.
 */
export const createViewedProducts =
  (products: PublicProducts, { contextOf }: FeedsParts): ReadViewedProduct =>
  async ({ productId, siteId, currency = products.currencies[0] ?? '' }) => {
    const context = await contextOf({ siteId })
    const product = await products.find(productId, context.site?.language ?? '')
    if (product === undefined) return undefined
    const { hooks, log } = context
    const event = await eventThroughHook(viewedEvent(product, currency, context), {
      ...{ hooks, log },
      about: { productId },
    })
    if (event === undefined) return undefined
    const viewed = onsiteEvent(event, { isOnce: false })
    return { ...viewed, viewedItem: viewedItem(viewed) }
  }

/** Before the store's hook. */
export const viewedEvent = (
  product: PublicProduct,
  currency: string,
  context: EventContext,
): MarketingEvent => ({
  name: withPrefix(pageEvents.viewedProduct.name, context),
  uniqueId: `viewed:${product.id}`,
  ...valueOf(product.prices[currency] ?? Number.NaN, currency),
  properties: viewedProperties(product, currency, context),
})

/**
 * The properties of a product in the built-in events, and the same values under the names that Klaviyo's
 * guide gives them for this metric.
 */
function viewedProperties(
  {
    id: productId,
    title: name,
    image: imageUrl,
    prices,
    compareAtPrices,
    ...product
  }: PublicProduct,
  currency: string,
  context: EventContext,
): Properties {
  const unitPrice = prices[currency] ?? Number.NaN
  const described = productProperties(
    { ...product, productId, name, imageUrl, unitPrice },
    { currency, about: { productId } },
    context,
  )
  return presentValues({
    ...described,
    URL: described.ProductURL,
    Price: described.ItemPrice,
    CompareAtPrice: majorUnits(compareAtPrices[currency] ?? Number.NaN, currency),
    Brand: plainText(product.brand),
    Categories: product.categories.map(plainText),
  })
}

/** What Klaviyo shows in a block of recently viewed items, by the names of its guide. */
const viewedItem = ({ properties }: OnsiteEvent): Properties =>
  presentValues({
    Title: properties.ProductName,
    ItemId: properties.ProductID,
    Categories: properties.Categories,
    ImageUrl: properties.ImageURL,
    Url: properties.URL,
    Metadata: presentValues({
      Brand: properties.Brand,
      Price: properties.Price,
      CompareAtPrice: properties.CompareAtPrice,
    }),
  })
