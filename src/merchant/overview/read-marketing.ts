import { sql, type SQL } from 'drizzle-orm'
import type { Once } from '../../core/database/cached-value.js'
import { momentOf } from '../../core/database/database.js'
import { jsonRows } from '../../core/database/json-rows.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import type { SendTable } from '../../marketing/delivery/send-table.js'
import { sendKinds } from '../../marketing/delivery/send.js'

// Everything is read from indexes, so the cost does not grow with the number of sends. Only failed sends
// are all counted, because a merchant deals with each of them.

/** Counting stops here: a larger exact number would help no merchant and cost the database more. */
export const countedAtMost = 10_000

const hourMs = 3_600_000
const hoursOfADay = 24

export async function readMarketingFacts(
  { sends, failures, deliveryFacts }: DeliveryParts,
  once: Once,
) {
  const [delivery, waiting, failed] = await Promise.all([
    once(deliveryFacts),
    readWaiting(sends),
    failures.read(),
  ])
  return { ...delivery, waiting, failed }
}

export type MarketingFacts = Awaited<ReturnType<typeof readMarketingFacts>>

/** How many sends of each kind wait or are on their way, up to `countedAtMost`, and when the first is due. */
async function readWaiting({ database, table, as, shape }: SendTable) {
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

/** How many events have reached Klaviyo since then, and how long the last of them took. */
export async function readDeliveredToday({ database, table, as }: SendTable, since: Date) {
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
      const [begin, end] = [momentOf(from), momentOf(to)]
      return begin && end ? Math.max(0, end.getTime() - begin.getTime()) : []
    })
    .sort((one, other) => one - other)
  const share = (part: number) => latencies[Math.ceil(latencies.length * part) - 1] ?? 0
  return {
    delivered: Number(counts?.delivered ?? 0),
    latencies: latencies.length === 0 ? undefined : { p50: share(0.5), p95: share(0.95) },
  }
}
