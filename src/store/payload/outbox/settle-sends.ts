import { sql, type SQL } from 'drizzle-orm'
import type { Claim, Settlement } from '../../../delivery/outbox.js'
import { profileKey } from '../../../marketing/profile.js'
import type { Row } from '../database.js'
import { jsonRows, type JsonShape } from './json-rows.js'
import { writeAndRelease } from './released-sends.js'
import { endedColumns, type SendTable } from './send-table.js'
import { bytesOf } from './store-sends.js'

const shape = {
  id: 'integer',
  to: 'text',
  job: 'text',
  nextAttemptAt: 'time',
  leaseUntil: 'time',
  attempts: 'integer',
  suspect: 'integer',
  message: 'json',
  bytes: 'integer',
  code: 'text',
  detail: 'text',
  status: 'integer',
  pointer: 'text',
} satisfies JsonShape

/** Writes what became of sends, of those that are still this claim's. */
export async function settleSends(
  sends: SendTable,
  claim: Claim,
  { settlements, now }: { settlements: readonly Settlement[]; now: Date },
): Promise<void> {
  if (settlements.length === 0) return
  const { database, table, bare, as, checked, choice, time } = sends
  const s = as('s')
  const rows = jsonRows(database, shape, settlements.map(rowOf))
  const change = sql`update ${table} as "s" set
      ${bare.state} = ${choice('state', sql`"r"."to"`)}, ${bare.leaseUntil} = "r"."leaseUntil",
      ${bare.token} = case when "r"."to" = 'sending' then ${s.token} end,
      ${bare.alone} = false, ${bare.nextAttemptAt} = "r"."nextAttemptAt", ${bare.job} = "r"."job",
      ${bare.sentAt} = case when "r"."to" in ('sent', 'skipped') then ${time(now)} end,
      ${bare.attempts} = coalesce("r"."attempts", ${s.attempts}),
      ${bare.isolation} = case when ${s.isolation} < 3 then ${s.isolation} + "r"."suspect" else 3 end,
      ${bare.message} = coalesce("r"."message", ${s.message}),
      ${bare.bytes} = coalesce("r"."bytes", ${s.bytes}),
      ${bare.errorCode} = "r"."code", ${bare.errorDetail} = "r"."detail",
      ${bare.errorStatus} = "r"."status", ${bare.errorPointer} = "r"."pointer"
    from ${rows} as "r"
    where ${s.id} = "r"."id" and ${checked(sql`${s.state} = 'sending' and ${s.token} = ${claim.token}`)}
    returning ${endedColumns(sends)}`
  const held = heldBack(claim, settlements, now)
  await writeAndRelease(sends, {
    ids: settlements.map(({ id }) => id),
    now,
    change,
    also: held.length === 0 ? [] : [holdBack(sends, held)],
  })
}

function rowOf(settlement: Settlement): Row {
  const { id, to } = settlement
  const error = 'error' in settlement ? settlement.error : undefined
  const common = { id, to, suspect: 0, ...error }
  if (settlement.to === 'sent') {
    return { ...common, ...(settlement.job !== undefined && { job: settlement.job }) }
  }
  if (settlement.to === 'sending') {
    return { ...common, job: settlement.job, leaseUntil: settlement.until.toISOString() }
  }
  if (settlement.to !== 'queued') return common
  const { nextAttemptAt, attempts, isSuspect, message } = settlement
  return {
    ...common,
    nextAttemptAt: nextAttemptAt.toISOString(),
    attempts,
    suspect: isSuspect ? 1 : 0,
    ...(message && { message, bytes: bytesOf(message) }),
  }
}

/** Profiles whose next try is later than now, with the send that has to go first. */
function heldBack({ sends }: Claim, settlements: readonly Settlement[], now: Date): Row[] {
  const profiles = new Map(sends.map(({ id, message }) => [id, profileKey(message.profile)]))
  return settlements.flatMap((settlement) =>
    settlement.to === 'queued' && settlement.nextAttemptAt > now
      ? [
          {
            id: settlement.id,
            profile: profiles.get(settlement.id),
            at: settlement.nextAttemptAt.toISOString(),
          },
        ]
      : [],
  )
}

/**
 * Puts off what is behind a send that is put off. It could not leave before anyway, and so nobody
 * walks over it again and again while it cannot.
 */
function holdBack({ database, table, bare, as }: SendTable, held: readonly Row[]): SQL {
  const [s, behind] = [as('s'), as('behind')]
  const rows = jsonRows(database, { id: 'integer', profile: 'text', at: 'time' }, held)
  // A cross join, as SQLite keeps its order: from the few profiles to their sends.
  return sql`update ${table} as "s" set ${bare.nextAttemptAt} = "held"."at"
    from (select ${behind.id} as "id", max("r"."at") as "at"
      from ${rows} as "r" cross join ${table} as "behind"
      where ${behind.profile} = "r"."profile" and ${behind.state} = 'queued'
        and ${behind.id} > "r"."id" and ${behind.nextAttemptAt} < "r"."at"
      group by ${behind.id}) as "held"
    where ${s.id} = "held"."id" and ${s.nextAttemptAt} < "held"."at"`
}
