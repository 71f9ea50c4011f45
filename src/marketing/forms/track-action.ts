import type { CartParts } from '../../carts/parts.js'
import type { FeedsParts } from '../feeds/parts.js'
import type { Action, FormVisit } from '../../core/http/visit.js'
import type { EventReading, PostedEvent, PostedOrder } from './event-parameters.js'
import { originsOf } from '../../core/http/same-site.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import { readLists } from './list-parameters.js'
import { marketingAction, type FormsShop } from './marketing-action.js'
import { profileOfPost } from './profile-parameters.js'
import { sendsOfPost, type ReadPost } from './sends-of-post.js'
import { publicUrl } from '../../core/http/public-origin.js'
import { cartHolder } from '../../carts/find-cart.js'

/** The same with what events about orders and carts need. */
type TrackShop = FormsShop &
  SiteParts &
  CartParts &
  FeedsParts &
  Pick<EventReading, 'hasOwnNumbers'>

/** `POST …/api/track`: like identify, then an event, list members, or both. */
export const createTrackAction = (shop: TrackShop): Action =>
  marketingAction('track', shop, async (post) => {
    const { form, settings, now, leaveOut } = post
    const { hasOwnNumbers, sites } = shop
    const { timezone } = shop.options
    const { serverURL, csrf } = shop.payload.config
    const lists = readLists(form.tree, { ...settings, leaveOut })
    const ownOrigins = originsOf([serverURL, ...csrf, ...(await sites.baseUrls())])
    const reading = { ...settings, now, timezone, hasOwnNumbers, ownOrigins, leaveOut }
    const { readEvent } = await import('./event-parameters.js')
    const posted = readEvent(form.tree, reading)
    const event = await completeEvent(posted, form, shop)
    const people = await profileOfPost(form, shop, leaveOut)
    const basis = posted?.order === undefined ? 'explicit' : 'implied'
    return sendsOfPost({ ...people, ...event, lists, basis }, { ...reading, effects: shop.effects })
  })

/** Adds the order's details to an event about an order. When they are missing, the event is not tracked. */
async function completeEvent(
  event: PostedEvent | undefined,
  form: FormVisit,
  shop: TrackShop,
): Promise<Pick<ReadPost, 'event' | 'order'>> {
  if (event?.order === undefined) return { event, order: undefined }
  const { number, id, askedBy, isReadable } = event.order
  const order = isReadable ? await findOrderDetails({ form, number, id }, shop) : undefined
  if (typeof order === 'object') return { event, order }
  // The number is not logged, as anyone who has it can open the order's cart.
  const about = { requestId: form.requestId, askedBy }
  if (order === 'kept back') shop.log.info(about, 'Order kept back: event not tracked')
  else shop.log.error(about, 'Order not found: event not tracked')
  return { event: undefined, order: undefined }
}

/**
 * Finds the details of the order or cart that an event names (`docs/interface.md` (Order event)), in the
 * visitor's name. A number is unguessable, so anyone who has it may use it, and it wins over an id. An id
 * counts only for the visitor's own orders and current cart. When both have the same id, it means the cart.
 */
async function findOrderDetails(
  { form, number, id }: { form: FormVisit } & Pick<PostedOrder, 'number' | 'id'>,
  shop: TrackShop,
) {
  const { details, customersSlug } = shop
  if (number !== undefined) {
    // A cart keeps its number when it becomes an order.
    return (await details.ofOrder({ number })) ?? details.ofCart({ number })
  }
  const current = await currentCart(form, shop)
  if (current !== undefined && (id === undefined || id === String(current.id))) {
    return details.ofCart({ id: current.id })
  }
  const visitor = await form.visitor()
  const isCustomer = visitor !== undefined && visitor.collection === customersSlug
  if (id === undefined || !isCustomer) return undefined
  return details.ofOrder({ id, customerId: visitor.id })
}

async function currentCart(form: FormVisit, { carts, sites }: TrackShop) {
  const visitor = await form.visitor()
  const site = await sites.at(publicUrl(form.request))
  return carts?.find(cartHolder(form.session.data, { visitor, site }))
}
