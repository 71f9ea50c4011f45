import type { DocumentId } from '../../core/database/document-id.js'
import type { NewSend } from '../delivery/send.js'
import { readEmail } from '../../core/people/email.js'
import type { EventMessage } from '../klaviyo/message.js'
import type { EventContext } from '../events/event-context.js'
import {
  type StatusWords,
  endingStatuses,
  type OrderHappening,
  type Parcel,
} from '../../shop/orders/happening.js'
import { isOrderWanted, orderSends } from '../events/event-sends.js'
import type { FeedsParts } from '../feeds/parts.js'
import type { OrderRecord } from '../feeds/order-records.js'
import type { Shop } from '../../core/shop.js'
import { UnreadOrder, reportedCondition } from '../../shop/orders/order-reader.js'
import type { PassedOverReason } from './run-progress.js'
import type { StatusChange } from '../../shop/orders/status-history.js'
import { sql } from 'drizzle-orm'
import { column } from '../../core/database/database.js'
import { changedRows, type Changed } from '../feeds/feed.js'
import type { HistoryPeriod } from './period.js'
import type { PastReviews } from '../reviews/review-source.js'

const dayMs = 24 * 60 * 60_000

/**
 * That an order was placed, and that it is shipped, cancelled or refunded now. What happened within the last day is left
 * to the feed: only its events start flows.
 */
export function pastHappenings(
  past: OrderRecord,
  { shippedStatus, labelOf }: StatusWords,
  now: Date,
): OrderHappening[] {
  const { order, changes } = past
  const since = new Date(now.getTime() - dayMs)
  const isLeftToFeed = (change: StatusChange | undefined) =>
    change !== undefined && change.isImport !== true && new Date(change.at) >= since

  const placed = changes.find((change) => change.placed === true)
  const happenings: OrderHappening[] = isLeftToFeed(placed)
    ? []
    : [{ kind: 'placed', at: momentOf(placed) ?? order.createdAt }]

  const { status } = order
  const isShipped = status === shippedStatus
  const last = changes.findLast((change) => change.status === status)
  if ((!isShipped && !endingStatuses.has(status)) || isLeftToFeed(last)) return happenings
  const parcels = isShipped ? past.parcels.filter((parcel) => !isSince(parcel, since)) : []
  if (isShipped && parcels.length === 0 && past.parcels.length > 0) return happenings
  return [
    ...happenings,
    {
      kind: 'status',
      status,
      label: labelOf(status),
      count: last?.count ?? 1,
      at: momentOf(last) ?? order.updatedAt,
      parcels,
      isShipped,
      ...(past.tracking !== undefined && { tracking: past.tracking }),
    },
  ]
}

/** Undefined for a change that an import wrote, since its moment is that of the import. */
const momentOf = (change: StatusChange | undefined): Date | undefined =>
  change === undefined || change.isImport === true ? undefined : new Date(change.at)

const isSince = ({ shippedAt }: Parcel, since: Date) =>
  shippedAt !== undefined && shippedAt >= since

export interface PastSends {
  sends: readonly NewSend[]
  passedOver: PassedOverReason[]
}

export async function pastSends(
  ids: readonly DocumentId[],
  { log }: Shop,
  { orderRecords, contextOf }: FeedsParts,
): Promise<PastSends> {
  const page = await orderRecords.readPage(ids, async (read, orderId) => {
    try {
      return await read()
    } catch (error) {
      // Only a failure of the store's own code concerns one order; any other fails the page.
      if (!(error instanceof UnreadOrder)) throw error
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
    else sends.push(...own.map((send) => ({ ...send, account: past.order.customerId })))
  }
  return { sends, passedOver }
}

/** With the same keys as the feed's, so that nothing is sent twice. */
async function sendsOf(
  past: OrderRecord,
  words: StatusWords,
  context: EventContext,
): Promise<NewSend[] | PassedOverReason> {
  const { order } = past
  if (readEmail(order.email) === undefined) return 'historyNoEmail'
  const happenings = pastHappenings(past, words, context.now)
  if (happenings.length === 0) return 'historyRecent'
  if (!isOrderWanted(order, happenings, context)) return 'historySwitchedOff'
  const sends = await orderSends(order, happenings, { ...context, mark: asHistory })
  return sends.length === 0 ? 'historyKeptBack' : sends
}

/**
 * Marks the event as `backfill`, so that it starts no flow and the store's hooks can tell. Takes address
 * and phone number from the profile, since Klaviyo may have newer ones; the event's properties keep them.
 */
export function asHistory(message: EventMessage): EventMessage {
  const profile = { ...message.profile }
  delete profile.phoneNumber
  delete profile.location
  return { ...message, profile, event: { ...message.event, backfill: true } }
}

/** The document after which a page begins; without its moment and id, the beginning of the period. */
interface Place {
  at?: string
  id?: DocumentId
}

export function createPastOrders(shop: Shop) {
  const { database, options } = shop
  const table = database.table(options.collections.orders)
  const rows = { table, at: column(table, 'createdAt'), condition: reportedCondition(shop) }
  return pastRows(shop, rows)
}

/** Walks what was created in a period, the oldest first. */
export function pastRows({ database, options }: Shop, rows: PastReviews['rows']) {
  const { timezone } = options
  const { table, at, condition } = rows
  return {
    async count(period: HistoryPeriod): Promise<number> {
      const { momentsOf } = await import('./period.js')
      const { begin, end } = momentsOf(period, timezone)
      const isInPeriod = sql`${at} >= ${begin.toISOString()} and ${at} < ${end.toISOString()}`
      return database.count(sql`${table} where ${isInPeriod} and ${condition}`)
    },

    async page(
      period: HistoryPeriod,
      { at: moment, id }: Place,
      limit: number,
    ): Promise<Changed[]> {
      const { momentsOf } = await import('./period.js')
      const { begin, end } = momentsOf(period, timezone)
      // `changedRows` excludes its begin and includes its end, and the databases store milliseconds.
      const from = { at: new Date(moment ?? begin.getTime() - 1), id }
      const until = new Date(end.getTime() - 1)
      return changedRows(database, rows, { from, until, limit })
    },
  }
}
