import type { DocumentId, Order } from '../commerce/order.js'
import type { NewSend } from '../delivery/outbox.js'
import { countReasons, type PassedOverCounts, type PassedOverReason } from './passed-over.js'
import { pastSends } from './past-sends.js'
import type { EventContext } from '../shop-events/event-context.js'
import type { Log } from '../store/log.js'
import type { TrackingPlace } from '../store/shipment-log.js'
import { UnmappedOrder } from '../store/payload/order-documents.js'
import type { OrderTellerParts } from '../shop-events/order-source.js'
import type { ToldOrder } from '../shop-events/told-orders.js'

export type PageTellerParts = Pick<
  OrderTellerParts,
  'orders' | 'contextOf' | 'settings' | 'labelOf' | 'locateEntry'
> & { log: Log }

/** What a page of orders has to tell, and how many of them tell nothing, and why. */
export type PageTeller = (
  ids: readonly DocumentId[],
) => Promise<{ sends: NewSend[]; passedOver: number; passedOverFor?: PassedOverCounts }>

/** Composes the history's events, page by page. */
export function createPageTeller(parts: PageTellerParts): PageTeller {
  const { contextOf, settings, labelOf, locateEntry, log } = parts

  return async (ids) => {
    const shipping = await settings.shipping()
    const words = { shippedStatus: shipping.statusHandle, labelOf }
    const located = locateEntry(shipping)
    const read = await readTold(ids, 'place' in located ? located.place : undefined, parts)
    const contexts = new Map<DocumentId | undefined, EventContext>()
    const contextOfSite = async ({ siteId }: Order): Promise<EventContext> => {
      const context = contexts.get(siteId) ?? (await contextOf({ siteId }))
      contexts.set(siteId, context)
      return context
    }
    const composed = async (
      told: ToldOrder,
      context: EventContext,
    ): Promise<NewSend[] | PassedOverReason> => {
      try {
        return await pastSends(told, words, context)
      } catch (error) {
        const { reference } = told.order
        log.error({ err: error, reference }, 'The history of an order failed')
        return 'historyUnreadable'
      }
    }

    const sends: NewSend[] = []
    const reasons = Array<PassedOverReason>(ids.length - read.length).fill('historyUnreadable')
    for (const told of read) {
      const own = await composed(told, await contextOfSite(told.order))
      if (typeof own === 'string') reasons.push(own)
      else sends.push(...own)
    }
    return { sends, passedOver: reasons.length, passedOverFor: countReasons(reasons) }
  }
}

/**
 * A store's own `mapOrder` may fail at an order. Then they are read one by one, so that this one alone
 * is passed over. Whatever else fails is not the order's fault, and fails the page.
 */
async function readTold(
  ids: readonly DocumentId[],
  place: TrackingPlace | undefined,
  { orders, log }: Pick<PageTellerParts, 'orders' | 'log'>,
): Promise<ToldOrder[]> {
  try {
    return await orders.read(ids, { place })
  } catch (error) {
    if (!(error instanceof UnmappedOrder)) throw error
  }
  const read: ToldOrder[] = []
  for (const id of ids) {
    try {
      read.push(...(await orders.read([id], { place })))
    } catch (error) {
      if (!(error instanceof UnmappedOrder)) throw error
      log.error({ err: error, orderId: id }, 'An order could not be read')
    }
  }
  return read
}
