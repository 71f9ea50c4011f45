import { sql, type SQL } from 'drizzle-orm'
import { isUnfinished, type SendTable } from './send-table.js'
import { jsonRows } from './json-rows.js'

/** How long a send that made its profile vouches for it. */
export const knownForMs = 10 * 60 * 1000

/** When a send that waits for another one is first looked at, in case its release got lost. */
export const firstLookMs = 10_000

const inKnownFor = (now: Date) => new Date(now.getTime() + knownForMs)

/**
 * A write that ends sends, together with the release of those that wait for them: all or nothing.
 * Resolves to how many sends it changed.
 */
export async function writeAndRelease(
  sends: SendTable,
  { ids, now, change, also = [] }: ReleasingWrite,
): Promise<number> {
  const { database, table, as, checked, isAmong } = sends
  const f = as('f')
  const isOver = checked(sql`${f.state} not in ('queued', 'sending')`)
  const finished = sql`select ${f.key} as "key", ${f.kind} as "kind", ${f.state} as "state",
    ${f.profile} as "profile"`
  if (database.isSqlite) {
    const from = sql`(${finished} from ${table} as "f" where ${isAmong(f.id, ids)} and ${isOver})`
    const statements = [change, release(sends, from, now), ...also]
    const [changed] = await database.batch(statements.map((statement) => database.run(statement)))
    return changed?.length ?? 0
  }
  // Statements with a common snapshot: the release sees what the change returns, not the table.
  const extra = also.map(
    (statement, index) => sql`, ${sql.identifier(`also${index}`)} as (${statement})`,
  )
  const from = sql`(select * from "changed" where "state" not in ('queued', 'sending'))`
  const [row] = await database.rows(sql`with "changed" as (${change}),
    "released" as (${release(sends, from, now)})${sql.join(extra)}
    select count(*) as "count" from "changed"`)
  return Number(row?.count ?? 0)
}

interface ReleasingWrite {
  /** Sends that may end by it. */
  ids: readonly number[]
  now: Date
  /** An UPDATE that returns `endedColumns`. */
  change: SQL
  also?: readonly SQL[]
}

function release({ table, bare, as, checked, time }: SendTable, finished: SQL, now: Date): SQL {
  const s = as('s')
  // A hook of the store's may have sent the other one to another profile.
  const hasMadeProfile = sql`"finished"."state" = 'sent' and "finished"."kind" in ('event', 'identify')
    and "finished"."profile" = ${s.profile}`
  return sql`update ${table} as "s" set ${bare.after} = null, ${bare.leaseUntil} = null,
      ${bare.nextAttemptAt} = ${time(now)},
      ${bare.knownUntil} = case when ${hasMadeProfile} then ${time(inKnownFor(now))} end
    from ${finished} as "finished" where ${s.after} = "finished"."key" and ${checked(sql`${s.state} = 'queued'`)}`
}

/**
 * Looks again at sends that wait for another one. A post that is stored in the moment in which that
 * one ends can miss its release; the next looks are the further apart the longer it has waited.
 */
export async function releaseForgotten(
  sends: SendTable,
  now: Date,
  limit: number,
): Promise<number> {
  const { database, table, bare, as, checked, time, isAmong } = sends
  const s = as('s')
  const p = as('p')
  const waits = await database.rows(sql`
    select ${s.id} as "id", ${s.acceptedAt} as "acceptedAt",
      (select 1 from ${table} as "p" where ${p.key} = ${s.after} and ${isUnfinished(p, sends)}) as "unfinished"
    from ${table} as "s" where ${s.state} = 'queued' and ${s.leaseUntil} <= ${time(now)}
    order by ${s.leaseUntil} limit ${limit}`)
  if (waits.length === 0) return 0

  const later = waits.filter(({ unfinished }) => unfinished !== null)
  const free = waits.filter(({ unfinished }) => unfinished === null).map(({ id }) => Number(id))
  if (later.length > 0) {
    const next = jsonRows(
      database,
      { id: 'integer', at: 'time' },
      later.map(({ id, acceptedAt }) => ({ id: Number(id), at: nextLook(acceptedAt, now) })),
    )
    await database.run(sql`update ${table} as "s" set ${bare.leaseUntil} = "next"."at"
      from ${next} as "next" where ${s.id} = "next"."id" and ${checked(sql`${s.state} = 'queued' and ${s.after} is not null`)}`)
  }
  if (free.length === 0) return 0
  const madeSince = new Date(now.getTime() - knownForMs)
  const hasMadeProfile = sql`(select 1 from ${table} as "p" where ${p.key} = ${s.after}
    and ${checked(sql`${p.state} = 'sent'`)} and ${p.kind} in ('event', 'identify')
    and ${p.profile} = ${s.profile} and ${p.sentAt} > ${time(madeSince)})`
  const freed = await database.rows(sql`update ${table} as "s" set ${bare.after} = null,
      ${bare.leaseUntil} = null, ${bare.nextAttemptAt} = ${time(now)},
      ${bare.knownUntil} = case when ${hasMadeProfile} is not null then ${time(inKnownFor(now))} end
    where ${isAmong(s.id, free)} and ${checked(sql`${s.state} = 'queued' and ${s.after} is not null`)}
    returning ${bare.id} as "id"`)
  return freed.length
}

const nextLook = (acceptedAt: unknown, now: Date): string => {
  const age = now.getTime() - new Date(String(acceptedAt)).getTime()
  return new Date(now.getTime() + Math.max(firstLookMs, age)).toISOString()
}
