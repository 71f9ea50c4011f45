import type { OrderDetails } from '../../marketing/order-details.js'
import type { Action } from '../visit.js'
import { readEvent, type EventReading, type PostedEvent } from './event-parameters.js'
import type { FormVisit } from '../visit.js'
import { readLists } from './list-parameters.js'
import {
  marketingAction,
  type MarketingActionParts,
  type MarketingPost,
} from './marketing-action.js'
import { profileOfPost } from './profile-of-post.js'
import { sendsOfPost, type ReadPost } from './sends-of-post.js'

/**
 * Finds what is sent of the order, or current cart, that an event names; undefined when it is not
 * there.
 */
export type FindOrderDetails = (asked: {
  form: FormVisit
  /** By number; works for guests. Wins over the id. */
  number: string | undefined
  /** By id: the current cart's, or that of an order of the logged-in user. */
  id: string | undefined
}) => Promise<OrderDetails | 'kept back' | undefined>

export interface TrackActionParts
  extends MarketingActionParts, Pick<EventReading, 'timezone' | 'hasOwnNumbers'> {
  /** A store without orders has none to send. */
  findOrderDetails?: FindOrderDetails
  /** Origins of the store's sites. Default: none is known. */
  ownOrigins?: () => Promise<ReadonlySet<string>>
}

/** `POST …/api/track`: like identify, then an event, list members, or both. */
export const createTrackAction = (parts: TrackActionParts): Action =>
  marketingAction('track', parts, async (post) => {
    const { form, settings, now, leaveOut } = post
    const { allowedLists, eventPrefix, allowedEvents, foldMinutes } = settings
    const lists = readLists(form.tree, { allowedLists, leaveOut })
    const { timezone, hasOwnNumbers = false } = parts
    const ownOrigins = (await parts.ownOrigins?.()) ?? new Set<string>()
    const known = { ownOrigins, hasOwnNumbers }
    const reading = { now, timezone, eventPrefix, allowedEvents, leaveOut, ...known }
    const event = await completeEvent(readEvent(form.tree, reading), post, parts)
    const people = await profileOfPost(post)
    return sendsOfPost({ ...people, ...event, lists }, { now, foldMinutes, leaveOut })
  })

/** The event with its order's details, if it is about one. Without them it is not tracked. */
async function completeEvent(
  event: PostedEvent | undefined,
  { form }: MarketingPost,
  { findOrderDetails, log }: TrackActionParts,
): Promise<Pick<ReadPost, 'event' | 'order'>> {
  if (event?.order === undefined) return { event, order: undefined }
  const { number, id, askedBy, isReadable } = event.order
  const order = isReadable ? await findOrderDetails?.({ form, number, id }) : undefined
  if (typeof order === 'object') return { event, order }
  // Not the number: who has it can open the order's cart.
  const about = { requestId: form.requestId, askedBy }
  if (order === 'kept back') log.info(about, 'Order kept back: event not tracked')
  else log.error(about, 'Order not found: event not tracked')
  return { event: undefined, order: undefined }
}
