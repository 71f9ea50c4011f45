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
import type { EventContext } from '../events/event-context.js'
import { pageEvents } from '../events/event-table.js'
import type { CartSnapshot } from '../events/event-options.js'
import { presentValues } from '../events/property-values.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { MarketingEvent } from '../klaviyo/message.js'
import type { Properties } from '../klaviyo/profile.js'
import { eventThroughHook } from '../klaviyo/through-hooks.js'
import { valueOf, withPrefix } from '../events/event-sends.js'
import type { ShopCarts, StoredCart } from '../feeds/shop-carts.js'
import type { FeedsParts } from '../feeds/parts.js'
import { subjectProperties } from '../events/subject-properties.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import { onsiteEvent, type OnsiteEvent } from './onsite-event.js'

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

/** Before the store's hook. */
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
