import type { DeliveryParts } from '../delivery/parts.js'
import { sleep } from '../../core/effects.js'
import type { FeedsParts } from '../feeds/parts.js'
import { shippedIn, statusLabels } from '../feeds/order-records.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import type { CallFailure } from '../klaviyo/call-answer.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import { fieldsOfOrders } from '../../shop/orders/order-fields.js'
import type { OrderShop } from '../../shop/orders/order-options.js'
import type { Shop } from '../../core/shop.js'
import type { ReviewsGiven } from '../reviews/review-notes.js'
import type { ProductFeedParts } from '../product-feed/parts.js'
import type { ShippingParts } from '../../shipping/parts.js'
import { statusChoices } from '../../shop/orders/order-choices.js'
import { exampleEvents, exampleNumber } from './example-events.js'
import { sql } from 'drizzle-orm'
import { momentOf } from '../../core/database/database.js'
import type { SendTable } from '../delivery/send-table.js'
import type { NewSend, SendState } from '../delivery/send.js'
import type { EventContext } from '../events/event-context.js'
import { withPrefix } from '../events/event-sends.js'
import { exampleProfile } from './example-profile.js'
import * as z from 'zod/mini'
import { readStored, storedMoment, type KeyValueStore } from '../../core/database/stored-value.js'
import { eventTable, statusEventName } from '../events/event-table.js'
import { markOfKey } from '../klaviyo/ask-api.js'
import { metricSlots, type MetricSlot, type AccountMetrics } from '../klaviyo/mapped-metrics.js'
import { endingStatuses, refundedStatus } from '../../shop/orders/happening.js'

export type MetricsNeed = KlaviyoParts &
  DeliveryParts &
  FeedsParts &
  MarketingSettingsParts &
  ProductFeedParts &
  Partial<ShippingParts>

/** What Klaviyo's slots name; with `failed`, why they could not be read, or not all be changed. */
export interface Mappings {
  slots: SlotReport[]
  failed?: CallFailure['failed'] & { scope: 'metrics:read' | 'metrics:write' }
}

/** Short, because a person waits for the answer. */
const askMs = 15_000

/** Klaviyo takes one change a second. */
const betweenChangesMs = 1_100

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(
  { payload, options, effects }: OrderShop & Shop<ReviewsGiven>,
  parts: MetricsNeed,
) {
  const { contextOf, marketingSettings, outbox, klaviyo, publicProducts, sends } = parts
  const { parcelsOfOrders, shippingSettings } = parts
  const { status } = options.fields
  const { reviews } = options.marketing
  const fields = fieldsOfOrders(payload, options)
  const statuses = statusChoices(fields, status).map(({ value }) => value)
  const labelOf = statusLabels(fields, status)
  const calling = (apiKey: string) => ({ apiKey, signal: effects.deadline(askMs) })

  async function read(apiKey: string): Promise<Mappings> {
    const context = await contextOf({ siteId: undefined })
    const found = await klaviyo.mappedMetrics(calling(apiKey))
    if ('failed' in found) {
      return { slots: [], failed: { ...found.failed, scope: 'metrics:read' } }
    }
    return { slots: compareSlots(found, ownMetrics(context, { statuses, labelOf })) }
  }

  async function change(apiKey: string, mappings: Mappings): Promise<Mappings> {
    const slots = [...mappings.slots]
    for (const [index, report] of slots.entries()) {
      const { slot, is, ours, oursId } = report
      if (is === 'ours' || oursId === undefined) continue
      const asked = { ...calling(apiKey), slot, metric: oursId }
      const answer = await klaviyo.mapMetric(asked)
      if ('failed' in answer) {
        return { slots, failed: { ...answer.failed, scope: 'metrics:write' } }
      }
      slots[index] = { ...report, is: 'ours', named: ours }
      await sleep(effects, betweenChangesMs)
    }
    return { slots }
  }

  /** Undefined without a key. */
  async function withKey(
    work: (apiKey: string) => Promise<Mappings>,
  ): Promise<Mappings | undefined> {
    const { privateApiKey: apiKey } = await marketingSettings.get()
    if (apiKey === '') return undefined
    const mappings = await work(apiKey)
    if (mappings.slots.length > 0) {
      const openCount = mappings.slots.filter(({ is }) => is !== 'ours').length
      await noteMappingCheck(payload, apiKey, { at: effects.now(), openCount })
    }
    return mappings
  }

  return {
    /** Stores an example of each event. The same is stored once. Resolves to how many there are. */
    async sendExamples(): Promise<number> {
      const context = await contextOf({ siteId: undefined })
      const { checkoutUrl } = await contextOf({ siteId: undefined, cartNumber: exampleNumber })
      const examples = await exampleEvents({
        ...{ context, checkoutUrl, statuses },
        currency: publicProducts?.currencies[0] ?? 'USD',
        words: { labelOf, shippedStatus: (await shippedIn(parcelsOfOrders)).shippedStatus },
        tracksParcels: (await shippingSettings?.get())?.trackingUpdates === true,
        reviews: {
          isOn: reviews !== undefined,
          areRequested: typeof reviews?.requestAfterDays === 'number',
        },
        hasPages: (await marketingSettings.get()).publicApiKey !== '',
      })
      await outbox.store(examples)
      return examples.length
    },

    /** Stores one event that a merchant can watch arriving. Resolves to its id. */
    async sendTest(): Promise<string> {
      const id = effects.uuid()
      await outbox.store([testEvent(id, await contextOf({ siteId: undefined }))])
      return id
    },
    testProgress: (id: string) => readTestEvent(sends, id),

    mappings: () => withKey(read),

    /** Has each slot name this shop's metric, as far as Klaviyo knows that. */
    mapMetrics: () =>
      withKey(async (apiKey) => {
        const mappings = await read(apiKey)
        return mappings.failed ? mappings : change(apiKey, mappings)
      }),

    lastCheck: async () => readMappingCheck(payload, (await marketingSettings.get()).privateApiKey),
  }
}

export interface TestEventProgress {
  state: SendState
  /** From the shop to Klaviyo, in milliseconds; undefined until it has arrived. */
  tookMs?: number
  /** Why Klaviyo did not take it. */
  error?: { code: string; detail: string }
}

/** An event of its own metric, which no other event belongs to. */
function testEvent(id: string, context: Pick<EventContext, 'eventPrefix' | 'now'>): NewSend {
  const name = withPrefix('Storeconnect Test', context)
  const event = { name, uniqueId: id, value: 0, properties: { Example: true } }
  return {
    message: { kind: 'event', profile: exampleProfile, event },
    key: keyOf(id),
    acceptedAt: context.now,
  }
}

const keyOf = (id: string) => `test:${id}`

/** Undefined when there is no such event, or its send was deleted. */
async function readTestEvent(
  { database, table, bare }: SendTable,
  id: string,
): Promise<TestEventProgress | undefined> {
  const [row] = await database.rows(sql`select ${bare.state} as "state",
      ${bare.acceptedAt} as "from", ${bare.sentAt} as "to",
      ${bare.errorCode} as "code", ${bare.errorDetail} as "detail"
    from ${table} where ${bare.key} = ${keyOf(id)}`)
  if (row === undefined) return undefined
  const { state, from, to, code, detail } = row
  const [begin, end] = [momentOf(from), momentOf(to)]
  return {
    state: state as SendState,
    ...(begin && end && { tookMs: Math.max(0, end.getTime() - begin.getTime()) }),
    ...(typeof detail === 'string' && { error: { code: String(code ?? ''), detail } }),
  }
}

export interface SlotReport {
  slot: MetricSlot
  is: 'ours' | 'empty' | 'other'
  /** The metric that the shop sends. */
  ours: string
  /** Undefined before Klaviyo has recorded an event of it. */
  oursId: string | undefined
  /** The name of the metric that the slot names; undefined for none, and for one that is made in Klaviyo. */
  named: string | undefined
}

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
