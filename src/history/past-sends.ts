import type { NewSend } from '../delivery/send.js'
import { readEmail } from '../marketing/email.js'
import type { EventMessage } from '../marketing/message.js'
import type { EventContext } from '../shop-events/event-context.js'
import type { StatusWords } from '../shop-events/happening.js'
import { orderSends, wantedOf } from '../shop-events/order-sends.js'
import type { PassedOverReason } from './passed-over.js'
import { pastHappenings, type PastOrder } from './past-happenings.js'

/**
 * What the platform is told of an order of long ago, by the keys of the events that it was told of as
 * they happened: it is told once. The reason where nothing is told of it.
 */
export async function pastSends(
  past: PastOrder,
  words: StatusWords,
  context: EventContext,
): Promise<NewSend[] | PassedOverReason> {
  const { order } = past
  if (readEmail(order.email) === undefined) return 'historyNoEmail'
  const happenings = pastHappenings(past, words, context.now)
  if (happenings.length === 0) return 'historyRecent'
  if (wantedOf(order, happenings, context).length === 0) return 'historySwitchedOff'
  const sends = await orderSends(order, happenings, { ...context, mark: asHistory })
  return sends.length === 0 ? 'historyKeptBack' : sends
}

/**
 * Marked so that no flow starts, and that the store's hooks know it. Without what an old order may know
 * worse than the platform does by now: where somebody lived and could be called then. The event's own
 * properties have it.
 */
function asHistory(message: EventMessage): EventMessage {
  const profile = { ...message.profile }
  delete profile.phoneNumber
  delete profile.location
  return { ...message, profile, event: { ...message.event, backfill: true } }
}
