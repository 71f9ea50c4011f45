import { sql, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../../../commerce/order.js'
import {
  countedAtMost,
  type FailedReason,
  type NotedShipment,
  type OverviewReading,
  type SentHour,
  type WaitingSends,
} from '../../overview.js'
import type { PlatformVisits } from '../../platform-visits.js'
import { column, type Database } from '../database.js'
import { noticesSlug } from '../notice-collection.js'
import { omissionsSlug } from '../omission-collection.js'
import type { SendTable } from '../outbox/send-table.js'
import { failedSends, lanes } from './failed-sends.js'

const hourMs = 3_600_000
const hoursOfADay = 24
const omissionsShown = 5

/** Everything at once, each part by an index of its own. */
export async function readOverview(
  sends: SendTable,
  visits: PlatformVisits,
  now: Date,
): Promise<OverviewReading> {
  const { database } = sends
  const [lastPull, lastFailure, lastShipment, lastSentAt, waiting, failed, hours, omissions] =
    await Promise.all([
      visits.lastPull(),
      visits.lastFailure(),
      readLastShipment(database),
      readLastSentAt(sends),
      readWaiting(sends),
      readFailed(sends),
      readHours(sends, now),
      readOmissions(database),
    ])
  return { lastPull, lastFailure, lastShipment, lastSentAt, waiting, failed, hours, omissions }
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

async function readWaiting({ database, table, as }: SendTable): Promise<WaitingSends[]> {
  const s = as('s')
  const inState = (state: SQL) =>
    sql`from ${table} as "s" where ${s.lane} = column1 and ${s.state} = ${state}`
  const counted = (state: SQL) =>
    sql`(select count(*) from (select 1 ${inState(state)} limit ${countedAtMost}) as "some")`
  const rows = await database.rows(sql`select column1 as "lane",
      ${counted(sql`'queued'`)} as "queued", ${counted(sql`'sending'`)} as "sending",
      (select min(${s.nextAttemptAt}) ${inState(sql`'queued'`)}) as "next"
    from (values ${sql.raw(lanes.map((lane) => `('${lane}')`).join(', '))}) as "lanes"`)
  return lanes.map((lane) => {
    const row = rows.find((found) => found.lane === lane)
    const count = Number(row?.queued ?? 0) + Number(row?.sending ?? 0)
    return { lane, count: Math.min(count, countedAtMost), nextAt: momentOf(row?.next) }
  })
}

async function readFailed(sends: SendTable): Promise<FailedReason[]> {
  const { database, table, bare, as, isAmong } = sends
  const s = as('s')
  // All that failed is walked over: cut off, it would hide whole reasons.
  const groups = await database.rows(sql`select coalesce(${s.errorCode}, '') as "code",
      count(*) as "count", max(${s.id}) as "newest"
    from ${failedSends(sends)} group by 1 order by count(*) desc, 1`)
  const newest = groups.map((group) => Number(group.newest))
  const details = await database.rows(sql`select ${bare.id} as "id", ${bare.errorDetail} as "detail"
    from ${table} where ${isAmong(bare.id, newest)}`)
  const detailOf = new Map(details.map(({ id, detail }) => [Number(id), String(detail ?? '')]))
  return groups.map((group) => ({
    code: String(group.code),
    count: Number(group.count),
    detail: detailOf.get(Number(group.newest)) ?? '',
  }))
}

/** Of the last day's hours each with a look of its own: the index has all that is asked for. */
async function readHours(sends: SendTable, now: Date): Promise<SentHour[]> {
  const { database, table, as } = sends
  const s = as('s')
  const current = Math.floor(now.getTime() / hourMs) * hourMs
  const starts = Array.from(
    { length: hoursOfADay },
    (_, index) => new Date(current - (hoursOfADay - 1 - index) * hourMs),
  )
  const bounds = starts.map(
    (from, index) =>
      sql`(${sql.raw(String(index))}, ${sends.time(from)}, ${sends.time(new Date(from.getTime() + hourMs))})`,
  )
  const rows = await database.rows(sql`select column1 as "hour",
      (select count(*) from ${table} as "s" where ${s.state} = 'sent'
        and ${s.sentAt} >= column2 and ${s.sentAt} < column3) as "count"
    from (values ${sql.join(bounds, sql`, `)}) as "hours"`)
  const countOf = new Map(rows.map(({ hour, count }) => [Number(hour), Number(count)]))
  return starts.map((from, index) => ({ from, count: countOf.get(index) ?? 0 }))
}

async function readOmissions(database: Database): Promise<OverviewReading['omissions']> {
  const omissions = database.table(omissionsSlug)
  const [[counted], rows] = await Promise.all([
    database.rows(sql`select count(*) as "count" from ${omissions}`),
    database.rows(sql`select ${column(omissions, 'order')} as "order",
        ${column(omissions, 'reference')} as "reference", ${column(omissions, 'reasons')} as "reasons"
      from ${omissions} order by ${column(omissions, 'updatedAt')} desc limit ${omissionsShown}`),
  ])
  return {
    count: Number(counted?.count ?? 0),
    newest: rows.map(({ order, reference, reasons }) => ({
      orderId: (order ?? undefined) as DocumentId | undefined,
      reference: String(reference ?? ''),
      reasons: String(reasons ?? ''),
    })),
  }
}
