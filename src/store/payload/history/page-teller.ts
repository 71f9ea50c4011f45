import type { DocumentId, Order } from '../../../commerce/order.js'
import type { NewSend } from '../../../delivery/outbox.js'
import { pastSends } from '../../../history/past-sends.js'
import type { EventContext } from '../../../order-events/event-context.js'
import type { Log } from '../../log.js'
import type { OrderTellerParts } from '../order-events/order-teller.js'
import type { ToldOrder } from '../order-events/told-orders.js'

export type PageTellerParts = Pick<
  OrderTellerParts,
  'orders' | 'contextOf' | 'settings' | 'labelOf' | 'locateEntry'
> & { log: Log }

/** What a page of orders has to tell, and how many of them tell nothing. */
export type PageTeller = (
  ids: readonly DocumentId[],
) => Promise<{ sends: NewSend[]; passedOver: number }>

/** Composes the history's events, page by page. */
export function createPageTeller(parts: PageTellerParts): PageTeller {
  const { contextOf, settings, labelOf, log } = parts

  return async (ids) => {
    const shipping = await settings.shipping()
    const words = { shippedStatus: shipping.statusHandle, labelOf }
    const contexts = new Map<DocumentId | undefined, EventContext>()
    const contextOfSite = async ({ siteId }: Order): Promise<EventContext> => {
      const context = contexts.get(siteId) ?? (await contextOf({ siteId }))
      contexts.set(siteId, context)
      return context
    }
    const composed = async (told: ToldOrder): Promise<NewSend[]> => {
      const { order } = told
      try {
        return await pastSends(told, words, await contextOfSite(order))
      } catch (error) {
        log.error({ err: error, reference: order.reference }, 'The history of an order failed')
        return []
      }
    }

    const sends: NewSend[] = []
    let telling = 0
    for (const told of await readTold(ids, parts)) {
      const own = await composed(told)
      if (own.length > 0) telling += 1
      sends.push(...own)
    }
    return { sends, passedOver: ids.length - telling }
  }
}

/**
 * A store's own `mapOrder` may fail at an order. Then they are read one by one, so that this one alone
 * is passed over; where none can be read it is not the order's fault.
 */
async function readTold(
  ids: readonly DocumentId[],
  { orders, settings, locateEntry, log }: PageTellerParts,
): Promise<ToldOrder[]> {
  const located = locateEntry(await settings.shipping())
  const place = 'place' in located ? located.place : undefined
  try {
    return await orders.read(ids, { place })
  } catch (error) {
    const read = await Promise.allSettled(ids.map((id) => orders.read([id], { place })))
    if (read.every(({ status }) => status === 'rejected')) throw error
    return read.flatMap((one, index) => {
      if (one.status === 'fulfilled') return one.value
      log.error({ err: one.reason as unknown, orderId: ids[index] }, 'An order could not be read')
      return []
    })
  }
}
