import { sql, type SQL } from 'drizzle-orm'
import type { Row } from '../../core/database/database.js'
import { jsonRows } from '../../core/database/json-rows.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import { attemptsKept } from './attempt.js'
import type { Lease } from '../../core/workers/lease.js'
import { reasonOf } from './reason.js'
import type { SendField } from './send-fields.js'
import type { SendStatements } from './send-statements.js'
import { bytesOf, type Settlement } from './send.js'
import { checked } from './send-table.js'

/** Writes what became of sends. */
export function settleSends({ database, table, bare, s, shape, pieces }: SendStatements) {
  return {
    /** Writes the outcomes. When the process dies meanwhile, the rest of them counts as lost. */
    settle: (settlements: readonly Settlement[], lease: Lease, now: Date): Promise<void> =>
      pieces.each(settlements, (some) => settleAtOnce(some, lease, now)),
  }

  /** The last attempts of a row and one more. */
  function withAttempt(attempt: SQL): SQL {
    const last = s.lastAttempts
    const longer = database.isSqlite
      ? sql`json_insert(case when json_array_length(${last}) >= ${attemptsKept}
          then json_remove(${last}, '$[0]') else coalesce(${last}, '[]') end, '$[#]', json(${attempt}))`
      : sql`case when jsonb_array_length(${last}) >= ${attemptsKept} then ${last} - 0
          else coalesce(${last}, '[]') end || ${attempt}`
    return sql`case when ${attempt} is null then ${last} else ${longer} end`
  }

  async function settleAtOnce(
    settlements: readonly Settlement[],
    lease: Lease,
    now: Date,
  ): Promise<void> {
    const rows = settlements.map((settlement) => settledRow(settlement, now))
    // Most outcomes have three values. SQLite would read each missing one from the JSON of each row.
    const given = new Set(
      rows.flatMap((row) => Object.keys(row).filter((name) => row[name] !== undefined)),
    )
    const columns = Object.entries({ ...shape, isUnanswered: 'boolean', attempt: 'jsonb' })
    const written = jsonRows(
      database,
      Object.fromEntries(columns.filter(([name]) => given.has(name))),
      rows,
    )
    const r = (name: SendField | 'isUnanswered' | 'attempt') =>
      given.has(name) ? sql`"r".${sql.identifier(name)}` : sql`null`
    await database.run(
      sql`update ${table} as "s" set ${bare.state} = ${r('state')},
        ${bare.call} = coalesce(${r('call')}, case when ${r('isUnanswered')} then ${s.call} end),
        ${bare.nextAttemptAt} = ${r('nextAttemptAt')},
        ${bare.sentAt} = case when ${r('sentAt')} is not null then coalesce(${s.sentAt}, ${r('sentAt')}) end,
        ${bare.attempts} = coalesce(${r('attempts')}, ${s.attempts}),
        ${bare.batchSize} = case when ${r('state')} = 'queued' or ${r('call')} is not null then ${r('batchSize')} else ${s.batchSize} end,
        ${bare.crashes} = coalesce(${r('crashes')}, ${s.crashes}),
        ${bare.message} = coalesce(${r('message')}, ${s.message}),
        ${bare.bytes} = coalesce(${r('bytes')}, ${s.bytes}),
        ${bare.lastAttempts} = ${given.has('attempt') ? withAttempt(r('attempt')) : s.lastAttempts},
        ${bare.reason} = ${r('reason')}, ${bare.errorCode} = ${r('errorCode')}, ${bare.errorDetail} = ${r('errorDetail')},
        ${bare.errorStatus} = ${r('errorStatus')}, ${bare.errorPointer} = ${r('errorPointer')}
      from ${written} as "r" where ${s.id} = "r"."id" and ${checked(sql`${s.state} = 'sending'`)}
        and ${lease.isHeld}`,
    )
  }
}

function settledRow(settlement: Settlement, now: Date): Row {
  const { to: state } = settlement
  const message = state === 'queued' ? settlement.message : undefined
  return {
    ...settlement,
    state,
    ...((state === 'sent' || state === 'skipped') && { sentAt: now }),
    ...(message && { bytes: bytesOf(message) }),
    ...('error' in settlement && settlement.error && errorRow(settlement.error)),
  }
}

function errorRow(error: KlaviyoError): Row {
  const { code, detail, status, pointer } = error
  return {
    reason: reasonOf(error),
    errorCode: code,
    errorDetail: detail,
    errorStatus: status,
    errorPointer: pointer,
  }
}
