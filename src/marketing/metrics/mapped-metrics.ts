import * as z from 'zod/mini'
import { readStored, storedMoment, type KeyValueStore } from '../../core/database/stored-value.js'
import type { EventContext } from '../events/event-context.js'
import { withPrefix } from '../events/event-sends.js'
import { eventTable, statusEventName } from '../events/event-table.js'
import { markOfKey } from '../klaviyo/mark-of-key.js'
import { metricSlots, type MetricSlot, type AccountMetrics } from '../klaviyo/mapped-metrics.js'
import { endingStatuses, refundedStatus } from '../../shop/orders/happening.js'

export interface SlotReport {
  slot: MetricSlot
  is: 'ours' | 'empty' | 'other'
  /** The metric that the shop sends. */
  ours: string
  /** Its id; undefined before Klaviyo has recorded an event of it. */
  oursId: string | undefined
  /** The name of the metric that the slot names; undefined for none, and for one that is made in Klaviyo. */
  named: string | undefined
}

/** The metric of this shop for each slot, by the names that the settings give. */
export function ownMetrics(
  context: Pick<EventContext, 'eventPrefix' | 'statusEvents'>,
  { statuses, labelOf }: { statuses: readonly string[]; labelOf: (status: string) => string },
): Record<MetricSlot, string> {
  const isCancelled = (status: string) => endingStatuses.has(status) && status !== refundedStatus
  const cancelled = statuses.find(isCancelled) ?? 'cancelled'
  const named = ({ name }: { name: string }) => withPrefix(name, context)
  const ofStatus = (status: string) =>
    withPrefix(statusEventName({ status, label: labelOf(status) }, context.statusEvents), context)
  return {
    revenue: named(eventTable.placedOrder),
    ordered_product: named(eventTable.orderedProduct),
    started_checkout: named(eventTable.startedCheckout),
    added_to_cart: named(eventTable.addedToCart),
    viewed_product: named(eventTable.viewedProduct),
    refunded_sales: ofStatus(refundedStatus),
    cancelled_sales: ofStatus(cancelled),
  }
}

export const compareSlots = (
  { slots, metrics }: AccountMetrics,
  own: Readonly<Record<MetricSlot, string>>,
): SlotReport[] =>
  metricSlots.map((slot) => {
    const ours = own[slot]
    const candidates = metrics.filter(({ name, isOurs }) => isOurs && name === ours)
    const id = slots.get(slot)
    const isSet = candidates.some((metric) => metric.id === id)
    return {
      slot,
      is: isSet ? 'ours' : id === undefined ? 'empty' : 'other',
      ours,
      oursId: candidates[0]?.id,
      named: metrics.find((metric) => metric.id === id)?.name,
    }
  })

const place = 'storeconnect:mapped-metrics'

const checkSchema = z.object({ at: storedMoment, key: z.string(), openCount: z.int() })

/** How many slots did not name the shop's metric when that was last checked. */
export type MappingCheck = Omit<z.infer<typeof checkSchema>, 'key'>

export const noteMappingCheck = (
  { kv }: KeyValueStore,
  apiKey: string,
  { at, openCount }: MappingCheck,
): Promise<void> => kv.set(place, { at: at.toISOString(), key: markOfKey(apiKey), openCount })

/** The last check, if it was made with this key. */
export async function readMappingCheck(
  store: KeyValueStore,
  apiKey: string,
): Promise<MappingCheck | undefined> {
  const check = await readStored(store, place, checkSchema)
  return check?.key === markOfKey(apiKey) ? check : undefined
}
