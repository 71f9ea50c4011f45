import type { DocumentId } from '../commerce/order.js'
import type { NewSend } from '../delivery/send.js'
import type { EventContexts } from '../shop-events/event-context.js'
import type { StatusWords } from '../shop-events/happening.js'
import type { Attempt, ToldOrder, ToldOrders } from '../shop-events/told-orders.js'
import type { Log } from '../store/log.js'
import { UnmappedOrder } from '../store/payload/order-documents.js'
import { countReasons, type PassedOverCounts, type PassedOverReason } from './passed-over.js'
import { pastSends } from './past-sends.js'

export interface HistoryPageParts {
  orders: Pick<ToldOrders, 'readPage'>
  contextOf: EventContexts
  log: Log
}

/** What a page of orders has to tell, and how many of them tell nothing, and why. */
export type ComposePage = (
  ids: readonly DocumentId[],
) => Promise<{ sends: NewSend[]; passedOver: number; passedOverFor: PassedOverCounts }>

/** Composes the history's events, page by page. */
export function createHistoryPages({ orders, contextOf, log }: HistoryPageParts): ComposePage {
  /** The store's own `mapOrder` may fail at an order. Whatever else fails, fails the page. */
  const attempt: Attempt = async (read, id) => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof UnmappedOrder)) throw error
      log.error({ err: error, orderId: id }, 'An order could not be read')
      return undefined
    }
  }

  async function composed(
    told: ToldOrder,
    words: StatusWords,
  ): Promise<NewSend[] | PassedOverReason> {
    const context = await contextOf({ siteId: told.order.siteId })
    try {
      return await pastSends(told, words, context)
    } catch (error) {
      const { reference } = told.order
      log.error({ err: error, reference }, 'The history of an order failed')
      return 'historyUnreadable'
    }
  }

  return async (ids) => {
    const page = await orders.readPage(ids, attempt)
    const sends: NewSend[] = []
    const unread = ids.length - page.orders.length
    const reasons = Array<PassedOverReason>(unread).fill('historyUnreadable')
    for (const told of page.orders) {
      const own = await composed(told, page.words)
      if (typeof own === 'string') reasons.push(own)
      else sends.push(...own)
    }
    return { sends, passedOver: reasons.length, passedOverFor: countReasons(reasons) }
  }
}
