import type { MarketingEvent } from '../klaviyo/message.js'
import type { Properties } from '../klaviyo/profile.js'
import type { PublicProduct, PublicProducts } from '../product-feed/public-products.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { majorUnits, plainText, presentValues } from '../events/property-values.js'
import { eventThroughHook } from '../klaviyo/through-hooks.js'
import { valueOf, withPrefix } from '../events/event-sends.js'
import type { EventContext } from '../events/event-context.js'
import { pageEvents } from '../events/event-table.js'
import type { FeedsParts } from '../feeds/parts.js'
import { productProperties, subjectProperties } from '../events/subject-properties.js'
import { reportedAdditions } from '../../carts/additions-cookie.js'
import { readCartChange, type AskedCartChange } from '../../carts/cart-change.js'
import type { CartLine } from '../../carts/cart.js'
import type { Carts } from '../../carts/carts.js'
import { cartHolder } from '../../carts/find-cart.js'
import { Problem } from '../../core/errors.js'
import { publicUrl } from '../../core/http/public-origin.js'
import { jsonReply } from '../../core/http/reply.js'
import { requireMethod } from '../../core/http/request-body.js'
import type { Action } from '../../core/http/visit.js'
import type { CartSnapshot } from '../events/event-options.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { ShopCarts, StoredCart } from '../feeds/shop-carts.js'
import type { SiteParts } from '../../shop/sites/parts.js'

/** An event as Klaviyo's script on a page sends it. */
export interface OnsiteEvent {
  /** The metric, with the event prefix. */
  name: string
  properties: Properties
  /** Of a viewed product: what the script notes for a block of recently viewed items. */
  viewedItem?: Properties
}

/**
 * Klaviyo's script takes the id, the value and its currency among the properties of an event
 * (https://developers.klaviyo.com/en/docs/guide_to_integrating_a_platform_without_a_pre_built_klaviyo_integration).
 * Without an id, each report is an event.
 */
export const onsiteEvent = (
  { name, value, valueCurrency, uniqueId, properties }: MarketingEvent,
  { isOnce }: { isOnce: boolean },
): OnsiteEvent => ({
  name,
  properties: {
    ...properties,
    ...(value !== undefined && { $value: value }),
    ...(valueCurrency !== undefined && { $value_currency: valueCurrency }),
    ...(isOnce && { $event_id: uniqueId }),
  },
})

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

/** Those of the built-in events, and the same values under the names that Klaviyo's guide gives them for this metric. */
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

type Needed = MarketingSettingsParts &
  SiteParts &
  FeedsParts & { carts: Carts; shopCarts: ShopCarts }

type Asked = AskedCartChange['additions'][number]

/**
 * `GET …/onsite/added-to-cart`: the events of what was added to the visitor's own cart, with the properties
 * of Updated Cart. It takes the parameters of `update-cart`. A visitor who has not consented, or whose cart
 * does not hold it, gets none.
 */
export const createAddedToCart =
  (parts: Needed): Action =>
  async (visit) => {
    requireMethod(visit.request, ['GET'])
    if ((await parts.marketingSettings.get()).publicApiKey === '')
      throw new Problem('ACTION_NOT_FOUND')
    const { data } = await visit.session()
    if (!data.hasOnsiteConsent) return jsonReply([])
    const { additions } = readCartChange((await visit.parameters()).tree)
    const site = await parts.sites.at(publicUrl(visit.request))
    const holder = cartHolder(data, { visitor: await visit.visitor(), site })
    const found = additions.length === 0 ? undefined : await parts.carts.find(holder)
    if (found === undefined) return jsonReply([])
    const [cart] = await parts.shopCarts.read({ id: { equals: found.id } })
    const asked = additions.slice(0, reportedAdditions)
    return jsonReply(cart === undefined ? [] : await eventsOf(cart, asked, parts))
  }

async function eventsOf(
  cart: StoredCart,
  additions: readonly Asked[],
  { shopCarts, contextOf }: Needed,
): Promise<OnsiteEvent[]> {
  const { id, number, siteId, updatedAt } = cart
  const snapshot = await shopCarts.snapshotOf(cart)
  const context = await contextOf({ siteId, cartNumber: number })
  const { whole, lines } = await subjectProperties({ kind: 'cart', cart: snapshot }, context)
  if (whole === undefined) return []
  const events = additions.map(async ({ ids, quantity }, index) => {
    const line = cart.lines.find((each) => isLineOf(each, ids))
    const properties = lines.find((each) => each.line.id === line?.id)?.properties
    if (line === undefined || properties === undefined) return undefined
    const { productId, variantId = '' } = line
    // A page that asks again reports the same addition with the same id.
    const uniqueId = `${number}:added:${updatedAt.getTime()}:${index}:${productId}:${variantId}`
    const event = await eventThroughHook(
      addedEvent({ cart: snapshot, whole, item: properties, quantity, uniqueId }, context),
      { hooks: context.hooks, log: context.log, about: { cartId: id } },
    )
    return event && onsiteEvent(event, { isOnce: true })
  })
  return (await Promise.all(events)).filter((event) => event !== undefined)
}

export const addedEvent = (
  {
    cart,
    whole,
    item,
    quantity,
    uniqueId,
  }: {
    cart: CartSnapshot
    whole: Properties
    item: Properties
    quantity: number
    uniqueId: string
  },
  context: EventContext,
): MarketingEvent => ({
  name: withPrefix(pageEvents.addedToCart.name, context),
  uniqueId,
  ...valueOf(cart.total, cart.currency),
  properties: { ...whole, ...addedItem(item, quantity) },
})

const isLineOf = (line: CartLine, { productId, variantId }: Asked['ids']): boolean =>
  String(line.variantId ?? '') === (variantId ?? '') &&
  (productId === undefined || String(line.productId) === productId)

/** The added item, with the names of Klaviyo's own guide. */
const addedItem = (item: Properties, quantity: number): Properties =>
  presentValues({
    AddedItemProductID: item.ProductID,
    AddedItemProductName: item.ProductName,
    AddedItemSKU: item.SKU,
    AddedItemCategories: item.ProductCategories,
    AddedItemImageURL: item.ImageURL,
    AddedItemURL: item.ProductURL,
    AddedItemPrice: item.ItemPrice,
    AddedItemQuantity: quantity,
  })
