import {
  refundedStatus,
  type OrderHappening,
  type Parcel,
  type StatusChange,
  type StatusWords,
} from '../shop-events/happening.js'
import type { OrderRecord } from '../shop-events/order-records.js'

const dayMs = 24 * 60 * 60_000

const endings = new Set(['cancelled', 'canceled', refundedStatus])

/**
 * What the history tells of an order: that it was placed, and where it is shipped, cancelled or
 * refunded now, that. The shop tells by itself what happened within the last day, and makes up for
 * what a crash held up; such a thing is left to it, since an event of the history sets nothing off.
 */
export function pastHappenings(
  past: OrderRecord,
  { shippedStatus, labelOf }: StatusWords,
  now: Date,
): OrderHappening[] {
  const { order, changes } = past
  const since = new Date(now.getTime() - dayMs)
  const isLeftToTheShop = (change: StatusChange | undefined) =>
    change !== undefined && change.silent !== true && new Date(change.at) >= since

  const placed = changes.find((change) => change.placed === true)
  const happenings: OrderHappening[] = isLeftToTheShop(placed)
    ? []
    : [{ kind: 'placed', at: momentOf(placed) ?? order.createdAt }]

  const { status } = order
  const isShipped = status === shippedStatus
  const last = changes.findLast((change) => change.status === status)
  if ((!isShipped && !endings.has(status)) || isLeftToTheShop(last)) return happenings
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

/** When a status was entered. What came by an import was written at another time than it happened. */
const momentOf = (change: StatusChange | undefined): Date | undefined =>
  change === undefined || change.silent === true ? undefined : new Date(change.at)

const isSince = ({ shippedAt }: Parcel, since: Date) =>
  shippedAt !== undefined && shippedAt >= since
