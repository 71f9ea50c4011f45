import type { DeliveryParts } from '../delivery/parts.js'
import { sleep } from '../../core/effects.js'
import type { FeedsParts } from '../feeds/parts.js'
import { shippedIn, statusLabels } from '../feeds/order-records.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import type { CallFailure } from '../klaviyo/call-answer.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import { fieldsOfOrders } from '../../shop/orders/order-fields.js'
import type { OrderShop } from '../../shop/orders/order-options.js'
import type { ProductFeedParts } from '../product-feed/parts.js'
import type { ShippingParts } from '../../shipping/parts.js'
import { statusChoices } from '../../shop/orders/order-choices.js'
import { exampleEvents, exampleNumber } from './example-events.js'
import {
  compareSlots,
  noteMappingCheck,
  ownMetrics,
  readMappingCheck,
  type SlotReport,
} from './mapped-metrics.js'
import { sql } from 'drizzle-orm'
import { momentOf } from '../../core/database/database.js'
import type { SendTable } from '../delivery/send-table.js'
import type { NewSend, SendState } from '../delivery/send.js'
import type { EventContext } from '../events/event-context.js'
import { withPrefix } from '../events/event-sends.js'
import { exampleProfile } from './example-profile.js'

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

/** Klaviyo's metrics, as this shop sends them. */
export function createMetrics({ payload, options, effects }: OrderShop, parts: MetricsNeed) {
  const { contextOf, marketingSettings, outbox, klaviyo, publicProducts, sends, parcelsOfOrders } =
    parts
  const { status } = options.fields
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

    /** What Klaviyo's slots name. */
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

/** How far a test event has come. */
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
