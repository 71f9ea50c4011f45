import { sql, type SQL } from 'drizzle-orm'
import type { Row } from '../../core/database/database.js'
import { jsonRows, manyRows, parsedJson } from '../../core/database/json-rows.js'
import type { Lease } from '../../core/workers/lease.js'
import { LeaseLost } from '../../core/workers/session-work.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import { isOurCode } from '../klaviyo/klaviyo-error-text.js'
import type { Message } from '../klaviyo/message.js'
import { attemptsKept } from './attempt.js'
import { lackingScopeIn, type CallLogs } from './call-log.js'
import { areSameLanes, laneOfKind, lanesFor, usualLanes, type Lanes } from './lanes.js'
import { bytesOf, type Settlement, type WaitingSend } from './send.js'
import type { SendField } from './send-fields.js'
import { idsOf, type SendStatements } from './send-statements.js'
import { checked } from './send-table.js'

/** Marks sends before the calls that carry them, and writes what became of them. */
export function sendsInCalls({
  database,
  table,
  bare,
  as,
  s,
  shape,
  pieces,
  isDeletionWaiting,
}: SendStatements) {
  return {
    /**
     * Resolves to the messages of the marked sends, by id. A send that no longer waits, that an earlier send of
     * its profile blocks, or whose row is another send by now (SQLite reuses ids) is not marked.
     *
     * @throws {LeaseLost}
     */
    async begin(
      calls: readonly {
        name: string
        sends: readonly Pick<WaitingSend, 'id' | 'kind' | 'profile'>[]
      }[],
      lease: Lease,
      logs: CallLogs,
    ): Promise<Map<number, Message>> {
      if (!(await lease.renew(logs))) throw new LeaseLost()
      const rows = calls.flatMap(({ name, sends }) =>
        sends.map(({ id, kind, profile }) => ({ send: id, call: name, kind, profile })),
      )
      const messages = new Map<number, Message>()
      await pieces.each(rows, async (some) => {
        const begun = await markAsSending(some, lease, lanesFor(lackingScopeIn(logs)))
        // The update does not return the messages: a process that pauses during a large answer would
        // keep PostgreSQL from committing.
        const read = sql`select ${bare.id} as "id", ${bare.message} as "message"
          from ${table} where ${database.isOneOf(bare.id, begun)} order by ${bare.id}`
        for (const { id, message } of await manyRows(database, read, ['id', 'message'])) {
          messages.set(Number(id), parsedJson(message) as Message)
        }
      })
      return messages
    },

    /** Writes the outcomes. When the process dies meanwhile, the rest of them counts as lost. */
    settle: (settlements: readonly Settlement[], lease: Lease, now: Date): Promise<void> =>
      pieces.each(settlements, (some) => settleAtOnce(some, lease, now)),
  }

  /** Resolves to the ids that are marked now. */
  async function markAsSending(
    rows: readonly Row[],
    lease: Lease,
    lanes: Lanes,
  ): Promise<number[]> {
    const { id, call, kind, profile } = shape
    const wanted = jsonRows(database, { send: id, call, kind, profile }, rows)
    const b = as('b')
    const laneOf = (of: SQL, isErased: SQL) => laneOfKind(lanes, of, isErased)
    const isErased = areSameLanes(lanes, usualLanes)
      ? sql`false`
      : isDeletionWaiting(sql`"rows"."profile"`)
    // Looked up once for each line of sends, and not for each send, as one person may have them all.
    const ofLine = sql`${b.profile} = "line"."profile"
      and ${checked(sql`${laneOf(b.kind, sql`"line"."isErased"`)} = "line"."lane"`)}`
    const isSame = sql`${s.kind} = "wanted"."kind" and ${s.profile} = "wanted"."profile"`
    const begun = await database.rows(
      sql`with "wanted" as materialized (select "rows".*, ${isErased} as "isErased"
          from ${wanted} as "rows"),
        "lines" as materialized (select "profile", "lane",
            exists (select 1 from ${table} as "b" where ${ofLine} and ${b.state} = 'sending'
              and ${checked(sql`${b.call} is distinct from "line"."call"`)}) as "isBusy",
            (select ${b.id} from ${table} as "b" where ${ofLine} and ${b.state} = 'queued'
              and ${checked(sql`${b.id} not in (select "send" from "wanted")`)}
              order by ${b.id} limit 1) as "blocker"
          from (select distinct "profile", "isErased", ${laneOf(sql`"kind"`, sql`"isErased"`)} as "lane", "call"
            from "wanted") as "line")
        update ${table} as "s" set ${bare.state} = 'sending', ${bare.call} = "wanted"."call"
        from "wanted" join "lines" on "lines"."profile" = "wanted"."profile"
          and ${checked(sql`"lines"."lane" = ${laneOf(sql`"wanted"."kind"`, sql`"wanted"."isErased"`)}`)}
        where ${s.id} = "wanted"."send" and ${checked(sql`${s.state} = 'queued' and ${isSame}`)}
          and ${lease.isHeld} and not "lines"."isBusy"
          and ("lines"."blocker" is null or ${s.id} < "lines"."blocker")
        returning ${bare.id} as "id"`,
    )
    return idsOf(begun)
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
  const error = 'error' in settlement ? settlement.error : undefined
  return {
    ...settlement,
    state,
    ...((state === 'sent' || state === 'skipped') && { sentAt: now }),
    ...(message && { bytes: bytesOf(message) }),
    ...(error && errorColumns(error)),
  }
}

/** What a row holds of an error. */
export const errorColumns = (error: KlaviyoError) => ({
  reason: reasonOf(error),
  errorCode: error.code,
  errorDetail: error.detail,
  errorStatus: error.status,
  errorPointer: error.pointer,
})

/** Whatever code and place Klaviyo names with these, the cause is the same. */
const byStatus: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'throttled',
}

/** An error in a word by which a merchant counts and resends what failed alike: `invalid_email`, `timeout`. */
function reasonOf({ code, status, pointer }: KlaviyoError): string {
  const word = wordOf(code)
  if (isOurCode(code)) return word
  const named = status === undefined ? undefined : byStatus[status]
  if (named !== undefined) return named
  if (status !== undefined && status >= 500) return 'server_error'
  const field = fieldOf(pointer)
  return field === undefined ? word : `${word}_${field}`
}

const wordOf = (code: string): string =>
  code
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .slice(0, 60)

/** The last name in a pointer; not that of a property, which a shop may have called anything. */
function fieldOf(pointer = ''): string | undefined {
  if (pointer.includes('/properties/')) return 'properties'
  return /\/(?!(?:data|attributes)\/?$)([a-z_]{1,40})\/?$/.exec(pointer)?.[1]
}
