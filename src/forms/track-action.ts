import type { OrderDetailsSource } from '../feeds/subject-details.js'
import type { Action, FormVisit } from '../http/visit.js'
import {
  readEvent,
  type EventReading,
  type PostedEvent,
  type PostedOrder,
} from './event-parameters.js'
import { originsOf } from '../http/same-site.js'
import type { Sites } from '../sites/sites.js'
import { readLists } from './list-parameters.js'
import { marketingAction, type MarketingActionParts } from './marketing-action.js'
import { profileOfPost } from './profile-parameters.js'
import { sendsOfPost, type ReadPost } from './sends-of-post.js'
import { publicUrl } from '../http/public-origin.js'
import { cartHolder } from '../carts/find-cart.js'
import type { Carts } from '../carts/carts.js'

interface TrackActionParts
  extends MarketingActionParts, Pick<EventReading, 'timezone' | 'hasOwnNumbers'> {
  /** Undefined in a store without orders. */
  findOrderDetails?: FindOrderDetails
  /** Further URLs whose origins belong to the store, and its sites. Default: none. */
  own?: { urls: readonly string[]; sites: Pick<Sites, 'baseUrls'> }
}

/** `POST …/api/track`: like identify, then an event, list members, or both. */
export const createTrackAction = (parts: TrackActionParts): Action =>
  marketingAction('track', parts, async (post) => {
    const { form, settings, now, leaveOut } = post
    const { timezone, hasOwnNumbers, own } = parts
    const lists = readLists(form.tree, { ...settings, leaveOut })
    const ownOrigins = originsOf(own ? [...own.urls, ...(await own.sites.baseUrls())] : [])
    const reading = { ...settings, now, timezone, hasOwnNumbers, ownOrigins, leaveOut }
    const posted = readEvent(form.tree, reading)
    const event = await completeEvent(posted, form, parts)
    const people = await profileOfPost(form, parts.profileOf, leaveOut)
    const basis = posted?.order === undefined ? 'explicit' : 'implied'
    return sendsOfPost({ ...people, ...event, lists, basis }, reading)
  })

/** Adds the order's details to an event about an order. When they are missing, the event is not tracked. */
async function completeEvent(
  event: PostedEvent | undefined,
  form: FormVisit,
  { findOrderDetails, log }: TrackActionParts,
): Promise<Pick<ReadPost, 'event' | 'order'>> {
  if (event?.order === undefined) return { event, order: undefined }
  const { number, id, askedBy, isReadable } = event.order
  const order = isReadable ? await findOrderDetails?.({ form, number, id }) : undefined
  if (typeof order === 'object') return { event, order }
  // The number is not logged, as anyone who has it can open the order's cart.
  const about = { requestId: form.requestId, askedBy }
  if (order === 'kept back') log.info(about, 'Order kept back: event not tracked')
  else log.error(about, 'Order not found: event not tracked')
  return { event: undefined, order: undefined }
}

interface OrderDetailsParts {
  details: OrderDetailsSource
  /** Undefined in a store without carts. */
  carts: Carts | undefined
  sites: Pick<Sites, 'at'>
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
}

/**
 * Returns a function that finds the details of the order or cart that an event names
 * (`docs/interface.md` (Order event)), in the visitor's name. A number is unguessable, so anyone who has it may use it, and
 * it wins over an id. An id counts only for the visitor's own orders and current cart. When both have the
 * same id, it means the cart.
 */
export const createFindOrderDetails =
  (parts: OrderDetailsParts) =>
  async ({ form, number, id }: { form: FormVisit } & Pick<PostedOrder, 'number' | 'id'>) => {
    const { details, customersSlug } = parts
    if (number !== undefined) {
      // A cart keeps its number when it becomes an order.
      return (await details.ofOrder({ number })) ?? details.ofCart({ number })
    }
    const current = await currentCart(form, parts)
    if (current !== undefined && (id === undefined || id === String(current.id))) {
      return details.ofCart({ id: current.id })
    }
    const visitor = await form.visitor()
    const isCustomer = visitor !== undefined && visitor.collection === customersSlug
    if (id === undefined || !isCustomer) return undefined
    return details.ofOrder({ id, customerId: visitor.id })
  }

export type FindOrderDetails = ReturnType<typeof createFindOrderDetails>

async function currentCart(form: FormVisit, { carts, sites }: OrderDetailsParts) {
  const visitor = await form.visitor()
  const site = await sites.at(publicUrl(form.request))
  return carts?.find(cartHolder(form.session.data, { visitor, site }))
}
