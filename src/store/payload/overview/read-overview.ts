import { sql, type SQL } from 'drizzle-orm'
import type { BasePayload } from 'payload'
import type { DocumentId } from '../../../commerce/order.js'
import type { DeliveryStatus } from '../../../delivery/deliverer.js'
import type { ShippingSettings } from '../../../settings/shipping-settings.js'
import {
  countedAtMost,
  type Counted,
  type FailedReason,
  type MarketingFacts,
  type NotedOmission,
  type NotedShipment,
  type OverviewDetails,
  type PlatformFacts,
  type SentHour,
  type ShippingFacts,
  type ShippingSettingsProblem,
  type WaitingSends,
} from '../../overview.js'
import type { PlatformVisits } from '../../platform-visits.js'
import type { SettingsSource } from '../../settings-source.js'
import { column, type Database } from '../database.js'
import { jsonRows } from '../json-rows.js'
import { noticesSlug } from '../notice-collection.js'
import { omissionsSlug } from '../omission-collection.js'
import type { SendTable } from '../../../delivery/send-table.js'
import { shippingSettingsSlug } from '../shipping-settings-global.js'
import { sendKinds } from '../../../delivery/send.js'
import { failedSends } from './failed-sends.js'
import { readLastTest } from './noted-tests.js'

const hourMs = 3_600_000
const hoursOfADay = 24
const skippedShown = 5

export interface FactParts {
  payload: BasePayload
  sends: SendTable
  visits: PlatformVisits
  settings: SettingsSource
  deliveryStatus: () => Promise<DeliveryStatus>
  settingsProblem: (settings: ShippingSettings) => ShippingSettingsProblem | undefined
}

/** Everything at once, each part by an index of its own. */
export async function readFacts(parts: FactParts): Promise<PlatformFacts> {
  const [shipping, marketing] = await Promise.all([
    readShippingFacts(parts),
    readMarketingFacts(parts),
  ])
  return { shipping, marketing }
}

async function readShippingFacts(parts: FactParts): Promise<ShippingFacts> {
  const { database } = parts.sends
  const [settings, settingsSavedAt, lastPull, failures, lastShipment, skipped] = await Promise.all([
    parts.settings.shipping(),
    readSavedAt(database),
    parts.visits.lastPull(),
    parts.visits.lastFailures(),
    readLastShipment(database),
    countSkipped(database),
  ])
  const settingsProblem = parts.settingsProblem(settings)
  return { settings, settingsProblem, settingsSavedAt, lastPull, failures, lastShipment, skipped }
}

async function readMarketingFacts(parts: FactParts): Promise<MarketingFacts> {
  const { payload, sends, settings } = parts
  const readTest = async () => readLastTest(payload, (await settings.marketing()).privateApiKey)
  const [status, lastTest, lastSentAt, waiting, failed] = await Promise.all([
    parts.deliveryStatus(),
    readTest(),
    readLastSentAt(sends),
    readWaiting(sends),
    readFailed(sends),
  ])
  return { ...status, lastTest, lastSentAt, waiting, failed }
}

export async function readDetails(sends: SendTable, now: Date): Promise<OverviewDetails> {
  const [hours, newestSkipped] = await Promise.all([
    readHours(sends, now),
    readNewestSkipped(sends.database),
  ])
  return { hours, newestSkipped }
}

async function readSavedAt(database: Database): Promise<Date | undefined> {
  const settings = database.table(shippingSettingsSlug)
  const [row] = await database.rows(
    sql`select ${column(settings, 'updatedAt')} as "at" from ${settings} limit 1`,
  )
  return momentOf(row?.at)
}

const momentOf = (value: unknown): Date | undefined =>
  value === null || value === undefined ? undefined : new Date(String(value))

async function readLastShipment(database: Database): Promise<NotedShipment | undefined> {
  const notices = database.table(noticesSlug)
  const createdAt = column(notices, 'createdAt')
  const [row] = await database.rows(sql`select ${createdAt} as "at",
      ${column(notices, 'reference')} as "reference", ${column(notices, 'carrier')} as "carrier"
    from ${notices} order by ${createdAt} desc limit 1`)
  const at = momentOf(row?.at)
  return at && { at, reference: String(row?.reference ?? ''), carrier: String(row?.carrier ?? '') }
}

async function readLastSentAt({ database, table, bare }: SendTable): Promise<Date | undefined> {
  const [row] = await database.rows(sql`select ${bare.sentAt} as "at" from ${table}
    where ${bare.state} = 'sent' and ${bare.sentAt} is not null
    order by ${bare.sentAt} desc limit 1`)
  return momentOf(row?.at)
}

async function readWaiting({ database, table, as, shape }: SendTable): Promise<WaitingSends[]> {
  const s = as('s')
  const inState = (state: SQL) =>
    sql`from ${table} as "s" where ${s.kind} = "kinds"."kind" and ${s.state} = ${state}`
  const counted = (state: SQL) =>
    sql`(select count(*) from (select 1 ${inState(state)} limit ${countedAtMost}) as "some")`
  const kinds = sendKinds.map((kind) => ({ kind }))
  const rows = await database.rows(sql`select "kind",
      ${counted(sql`'queued'`)} as "queued", ${counted(sql`'sending'`)} as "sending",
      (select min("at") from (select ${s.nextAttemptAt} as "at" ${inState(sql`'queued'`)}
        order by ${s.id} limit ${countedAtMost}) as "first") as "next"
    from ${jsonRows(database, { kind: shape.kind }, kinds)} as "kinds"`)
  return sendKinds.map((kind) => {
    const row = rows.find((found) => found.kind === kind)
    const count = Number(row?.queued ?? 0) + Number(row?.sending ?? 0)
    return { kind, count: Math.min(count, countedAtMost), nextAt: momentOf(row?.next) }
  })
}

async function readFailed(sends: SendTable): Promise<FailedReason[]> {
  const { database, table, bare, as } = sends
  const s = as('s')
  // All that failed is walked over: cut off, it would hide whole reasons.
  const groups = await database.rows(sql`select coalesce(${s.errorCode}, '') as "code",
      count(*) as "count", max(${s.id}) as "newest"
    from ${failedSends(sends)} group by 1 order by count(*) desc, 1`)
  const newest = groups.map((group) => Number(group.newest))
  const details =
    await database.rows(sql`select ${bare.id} as "id", ${bare.errorDetail} as "detail",
      ${bare.acceptedAt} as "at"
    from ${table} where ${database.isOneOf(bare.id, newest)}`)
  const newestOf = new Map(details.map(({ id, ...newest }) => [Number(id), newest]))
  return groups.map((group) => {
    const of = newestOf.get(Number(group.newest))
    return {
      code: String(group.code),
      count: Number(group.count),
      detail: String(of?.detail ?? ''),
      newestAt: momentOf(of?.at),
    }
  })
}

/** Of the last day's hours each with a look of its own: the index has all that is asked for. */
async function readHours(sends: SendTable, now: Date): Promise<SentHour[]> {
  const { database, table, as, shape } = sends
  const s = as('s')
  const current = Math.floor(now.getTime() / hourMs) * hourMs
  const starts = Array.from(
    { length: hoursOfADay },
    (_, index) => new Date(current - (hoursOfADay - 1 - index) * hourMs),
  )
  const hours = starts.map((from, hour) => ({ hour, from, to: new Date(from.getTime() + hourMs) }))
  const hourShape = { hour: 'bigint', from: shape.sentAt, to: shape.sentAt }
  const rows = await database.rows(sql`select "hour",
      (select count(*) from ${table} as "s" where ${s.state} = 'sent'
        and ${s.sentAt} >= "hours"."from" and ${s.sentAt} < "hours"."to") as "count"
    from ${jsonRows(database, hourShape, hours)} as "hours"`)
  const countOf = new Map(rows.map(({ hour, count }) => [Number(hour), Number(count)]))
  return starts.map((from, index) => ({ from, count: countOf.get(index) ?? 0 }))
}

async function countSkipped(database: Database): Promise<Counted> {
  const omissions = database.table(omissionsSlug)
  const [row] = await database.rows(sql`select count(*) as "count",
      max(${column(omissions, 'updatedAt')}) as "newest"
    from ${omissions} where ${column(omissions, 'isFailure')} is true`)
  return { count: Number(row?.count ?? 0), newestAt: momentOf(row?.newest) }
}

async function readNewestSkipped(database: Database): Promise<NotedOmission[]> {
  const omissions = database.table(omissionsSlug)
  const rows = await database.rows(sql`select ${column(omissions, 'order')} as "order",
      ${column(omissions, 'reference')} as "reference", ${column(omissions, 'reasons')} as "reasons"
    from ${omissions} order by ${column(omissions, 'updatedAt')} desc limit ${skippedShown}`)
  return rows.map(({ order, reference, reasons }) => ({
    orderId: (order ?? undefined) as DocumentId | undefined,
    reference: String(reference ?? ''),
    reasons: String(reasons ?? ''),
  }))
}
