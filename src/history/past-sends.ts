import type { DocumentId } from '../commerce/order.js'
import type { NewSend } from '../delivery/send.js'
import { readEmail } from '../marketing/email.js'
import type { EventMessage } from '../marketing/message.js'
import type { EventContext, EventContexts } from '../shop-events/event-context.js'
import type { StatusWords } from '../shop-events/happening.js'
import { orderSends, wantedOf } from '../shop-events/order-sends.js'
import type { OrderRecord, OrderRecords } from '../shop-events/order-records.js'
import type { Log } from '../store/log.js'
import { UnmappedOrder } from '../store/payload/order-documents.js'
import type { PassedOverReason } from './passed-over.js'
import { pastHappenings } from './past-happenings.js'

export interface PastSendsParts {
  orders: Pick<OrderRecords, 'readPage'>
  contextOf: EventContexts
  log: Log
}

/** What the platform is told of a page of orders, and why nothing is told of some of them. */
export async function pastSends(
  ids: readonly DocumentId[],
  { orders, contextOf, log }: PastSendsParts,
): Promise<{ sends: NewSend[]; passedOver: PassedOverReason[] }> {
  const page = await orders.readPage(ids, async (read, orderId) => {
    try {
      return await read()
    } catch (error) {
      // The store's own `mapOrder` may fail at an order. Whatever else fails, fails the page.
      if (!(error instanceof UnmappedOrder)) throw error
      log.error({ err: error, orderId }, 'An order could not be read')
      return undefined
    }
  })
  const sends: NewSend[] = []
  const unread = ids.length - page.orders.length
  const passedOver = Array<PassedOverReason>(unread).fill('historyUnreadable')
  for (const past of page.orders) {
    const context = await contextOf({ siteId: past.order.siteId })
    const own = await sendsOf(past, page.words, context).catch((error: unknown) => {
      log.error({ err: error, reference: past.order.reference }, 'The history of an order failed')
      return 'historyUnreadable' as const
    })
    if (typeof own === 'string') passedOver.push(own)
    else sends.push(...own)
  }
  return { sends, passedOver }
}

/**
 * Of one order, by the keys of the events that the platform was told of as they happened: it is told
 * once.
 */
async function sendsOf(
  past: OrderRecord,
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
