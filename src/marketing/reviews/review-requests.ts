import { column } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { reportedCondition } from '../../shop/orders/order-reader.js'
import { endingStatuses, type StatusWords } from '../../shop/orders/happening.js'
import type { MovedParcels } from '../../shipping/tracking/moved-parcels.js'
import type { NewSend } from '../delivery/send.js'
import { requestIds } from '../events/order-ids.js'
import { personOf } from '../events/person.js'
import { changedRows, dayMs, type Source } from '../feeds/feed.js'
import type { OrderRecord } from '../feeds/order-records.js'
import type { FeedsParts } from '../feeds/parts.js'
import { guarded } from '../feeds/store-code.js'
import { subjectDetails } from '../feeds/subject-details.js'
import { throughHooks } from '../klaviyo/through-hooks.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { ReviewShop } from './review-notes.js'
import { readyToReview } from './review-events.js'

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

const createReport = (
  shop: ReviewShop,
  { orderRecords, contextOf, ownEndingStatuses }: FeedsParts & MarketingSettingsParts,
  waitMs: number,
) => {
  const { effects, log } = shop

  async function sendOf({ order }: OrderRecord, arrivedAt: Date): Promise<NewSend | 'none'> {
    const { siteId, reference, customerId } = order
    const context = await contextOf({ siteId })
    const details = await subjectDetails({ kind: 'order', order }, personOf(order), context)
    if (details?.customer === undefined) return 'none'
    const at = new Date(arrivedAt.getTime() + waitMs)
    const event = readyToReview({ order, at, properties: details.properties }, context)
    const { hooks } = context
    const message = await throughHooks(
      { kind: 'event', profile: details.customer, event },
      { hooks, log, about: { reference } },
    )
    if (message === undefined) return 'none'
    return { message, key: requestIds(order).key, acceptedAt: effects.now(), account: customerId }
  }

  return async (ids: readonly DocumentId[]) => {
    const page = await orderRecords.readPage(ids)
    const ended = new Set([...endingStatuses, ...(await ownEndingStatuses())])
    const now = effects.now().getTime()
    const sends: NewSend[] = []
    let { hasFailed } = page
    for (const record of page.orders) {
      const arrivedAt = arrivalOf(record, page.words)
      if (arrivedAt === undefined || ended.has(record.order.status)) continue
      const late = now - arrivedAt.getTime() - waitMs
      if (late < 0 || late > mostLateMs) continue
      const send = await guarded(shop, () => sendOf(record, arrivedAt), {
        about: { reference: record.order.reference },
        sentence: 'The request for a review failed',
      })
      if (send === undefined) hasFailed = true
      else if (send !== 'none') sends.push(send)
    }
    return { sends, hasFailed }
  }
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
