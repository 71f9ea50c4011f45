import { sql, type SQL } from 'drizzle-orm'
import type { Once } from '../../core/database/cached-value.js'
import { momentOf } from '../../core/database/database.js'
import { jsonRows } from '../../core/database/json-rows.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import type { SendTable } from '../../marketing/delivery/send-table.js'
import type { SendWaits } from '../../marketing/delivery/send-waits.js'
import { sendKinds } from '../../marketing/delivery/send.js'

// Everything is read from indexes, so the cost does not grow with the number of sends. Only failed sends
// are all counted, because a merchant deals with each of them.

/** Counting stops here: a larger exact number would help no merchant and cost the database more. */
export const countedAtMost = 10_000

const hourMs = 3_600_000
const hoursOfADay = 24

export async function readMarketingFacts(
  { sends, sendWaits, failures, deliveryFacts }: DeliveryParts,
  once: Once,
) {
  const [delivery, waiting, failed] = await Promise.all([
    once(deliveryFacts),
    readWaiting(sends, sendWaits),
    failures.read(),
  ])
  return { ...delivery, waiting, failed }
}

export type MarketingFacts = Awaited<ReturnType<typeof readMarketingFacts>>

/** How many sends of each kind wait or are on their way, up to `countedAtMost`, and why the first of them waits. */
async function readWaiting({ database, table, as, shape }: SendTable, sendWaits: SendWaits) {
  const s = as('s')
  const inState = (state: SQL) =>
    sql`from ${table} as "s" where ${s.kind} = "kinds"."kind" and ${s.state} = ${state}`
  const counted = (state: SQL) =>
    sql`(select count(*) from (select 1 ${inState(state)} limit ${countedAtMost}) as "some")`
  const first = (state: SQL) => sql`(select min(${s.id}) ${inState(state)})`
  const kinds = sendKinds.map((kind) => ({ kind }))
  const rows = await database.rows(sql`select "kind",
      ${counted(sql`'queued'`)} as "queued", ${counted(sql`'sending'`)} as "sending",
      coalesce(${first(sql`'queued'`)}, ${first(sql`'sending'`)}) as "first"
    from ${jsonRows(database, { kind: shape.kind }, kinds)} as "kinds"`)
  const waits = await sendWaits(rows.flatMap((row) => (row.first ? Number(row.first) : [])))
  return sendKinds.map((kind) => {
    const row = rows.find((found) => found.kind === kind)
    const count = Number(row?.queued ?? 0) + Number(row?.sending ?? 0)
    return { kind, count: Math.min(count, countedAtMost), wait: waits.get(Number(row?.first)) }
  })
}

/** The sends of each of the last 24 hours. Each hour has a subquery of its own, which reads only the index. */
export async function readHours(sends: SendTable, now: Date) {
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

const timedAtMost = 1000

/** How many events have reached Klaviyo since then, and how long the last of them took since there was a key. */
export async function readDeliveredToday(
  { database, table, as }: SendTable,
  { since, keySince }: { since: Date; keySince: Date | undefined },
) {
  const s = as('s')
  const isToday = sql`${s.state} = 'sent' and ${s.sentAt} >= ${since.toISOString()}
    and ${s.kind} = 'event'`
  const [[counts], times] = await Promise.all([
    database.rows(sql`select count(*) as "delivered"
      from (select 1 from ${table} as "s" where ${isToday} limit ${countedAtMost}) as "some"`),
    database.rows(sql`select ${s.acceptedAt} as "from", ${s.sentAt} as "to" from ${table} as "s"
      where ${isToday} order by ${s.sentAt} desc limit ${timedAtMost}`),
  ])
  const latencies = times
    .flatMap(({ from, to }) => {
      const [accepted, end] = [momentOf(from), momentOf(to)]
      if (!accepted || !end) return []
      const hasWaited = keySince !== undefined && keySince > accepted && keySince <= end
      const begin = hasWaited ? keySince : accepted
      return Math.max(0, end.getTime() - begin.getTime())
    })
    .sort((one, other) => one - other)
  const share = (part: number) => latencies[Math.ceil(latencies.length * part) - 1] ?? 0
  return {
    delivered: Number(counts?.delivered ?? 0),
    latencies: latencies.length === 0 ? undefined : { p50: share(0.5), p95: share(0.95) },
  }
}
