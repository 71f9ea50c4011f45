import { column } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { reportedCondition } from '../../shop/orders/order-reader.js'
import { endingStatuses, type StatusWords } from '../../shop/orders/happening.js'
import type { MovedParcels } from '../../shipping/tracking/moved-parcels.js'
import { orderSends } from '../events/event-sends.js'
import { changedRows, dayMs, type Report, type Source } from '../feeds/feed.js'
import type { OrderRecord } from '../feeds/order-records.js'
import type { FeedsParts } from '../feeds/parts.js'
import { reportEach } from '../feeds/report-each.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { ReviewShop } from './review-notes.js'

/** An order that arrived longer ago than this, and the days of waiting, is too old to be asked about. */
const mostLateMs = 30 * dayMs

/**
 * The orders that arrived so many days ago: those whose parcels were delivered then, and those that nobody has changed
 * since, as they were shipped at the latest then.
 */
export function createRequestSources(
  shop: ReviewShop,
  parts: FeedsParts & MarketingSettingsParts & { movedParcels?: MovedParcels },
  days: number,
): Source[] {
  const { database, options } = shop
  const { movedParcels } = parts
  const table = database.table(options.collections.orders)
  const orders = { table, at: column(table, 'updatedAt'), condition: reportedCondition(shop) }
  const report = createReport(shop, parts, days * dayMs)
  const waiting = { quietMs: days * dayMs, firstBackMs: dayMs }
  const ofOrders: Source = {
    name: 'review-requests',
    ...waiting,
    changedAfter: (from, range) => changedRows(database, orders, { from, ...range }),
    report,
  }
  if (movedParcels === undefined) return [ofOrders]
  const ofParcels: Source = {
    name: 'review-requests-of-parcels',
    ...waiting,
    changedAfter: (from, range) => changedRows(database, movedParcels.rows, { from, ...range }),
    report: async (ids) => report(await movedParcels.ordersOf(ids)),
  }
  return [ofOrders, ofParcels]
}

const createReport =
  (
    shop: ReviewShop,
    { orderRecords, contextOf, ownEndingStatuses }: FeedsParts & MarketingSettingsParts,
    waitMs: number,
  ) =>
  async (ids: readonly DocumentId[]): Promise<Report> => {
    const page = await orderRecords.readPage(ids)
    const ended = new Set([...endingStatuses, ...(await ownEndingStatuses())])
    const now = shop.effects.now().getTime()
    const ready = page.orders.flatMap((record) => {
      const { order } = record
      const arrivedAt = arrivalOf(record, page.words)
      if (arrivedAt === undefined || ended.has(order.status)) return []
      const at = new Date(arrivedAt.getTime() + waitMs)
      const late = now - at.getTime()
      return late < 0 || late > mostLateMs ? [] : [{ id: order.id, order, at }]
    })
    return reportEach(shop, ready, {
      hasFailed: page.hasFailed,
      about: ({ order: { reference } }) => ({ reference }),
      sentence: 'The request for a review failed',
      async make({ order, at }) {
        const context = await contextOf({ siteId: order.siteId })
        const sends = await orderSends(order, [{ kind: 'reviewable', at }], context)
        return { sends, account: order.customerId }
      },
    })
  }

/** When the last of the tracked parcels was delivered; of an order without any, when it was shipped. */
function arrivalOf(
  { changes, parcels }: OrderRecord,
  { shippedStatus }: StatusWords,
): Date | undefined {
  const tracked = parcels.filter(({ state }) => state !== undefined)
  if (tracked.length > 0) {
    if (tracked.some(({ state }) => state !== 'delivered')) return undefined
    const states = tracked.flatMap((parcel) => parcel.states ?? [])
    return lastOf(
      states.filter(({ state }) => state === 'delivered').map((each) => each.receivedAt),
    )
  }
  const shipped = changes.findLast(({ status }) => status === shippedStatus)
  if (shipped === undefined || shipped.isImport === true) return undefined
  return lastOf([new Date(shipped.at), ...parcels.flatMap(({ shippedAt }) => shippedAt ?? [])])
}

const lastOf = (moments: readonly Date[]): Date | undefined =>
  moments.toSorted((one, other) => one.getTime() - other.getTime()).at(-1)
