import { sql, type SQL } from 'drizzle-orm'
import type { OwnSubscription } from '../klaviyo/may-subscribe.js'
import type { Message } from '../klaviyo/message.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import type { Profile } from '../klaviyo/profile.js'
import { momentOf, type Row } from '../../core/database/database.js'
import { jsonRows, manyRows, parsedJson } from '../../core/database/json-rows.js'
import type { Shop } from '../../core/shop.js'
import type { CallLogs } from './call-log.js'
import { attemptsKept } from './attempt.js'
import type { Lease } from './lease.js'
import type { InFlightSend } from './lost-calls.js'
import { createPieces } from './pieces.js'
import { reasonOf } from './reason.js'
import { bytesOf, sendKinds, type SendKind, type Settlement, type WaitingSend } from './send.js'
import type { SendField } from './send-fields.js'
import {
  waitingIndex,
  checked,
  ofAnyKind,
  profileValue,
  sendTable,
  type SendColumns,
} from './send-table.js'

/** For each kind: the last id that was read, and how many more sends may be read. */
export type ReadFrom = Readonly<Record<SendKind, { after: number; limit: number }>>

/** Another process has taken over: nothing in the memory of this one can be trusted. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process has taken over the delivery.')
  }
}

/** The deliverer's reads and writes of sends. A write changes nothing once the lease is lost. */
export function createDeliveryStore(shop: Shop) {
  const { database } = shop
  const sends = sendTable(database)
  const { table, bare, as, shape } = sends
  const s = as('s')
  // Without this hint SQLite scans all sends for a kind that its statistics do not know.
  const byWaitingIndex = database.isSqlite
    ? sql`indexed by ${sql.identifier(waitingIndex)}`
    : sql.empty()
  const pieces = createPieces(shop)

  return {
    /** Tells that somebody has posted, so that the statements of the delivery make room. */
    posted: pieces.posted,

    /** The next waiting sends of each kind, in the order of their ids. */
    async readWaiting(from: ReadFrom): Promise<WaitingSend[]> {
      const parts = sendKinds
        .filter((kind) => from[kind].limit > 0)
        .map(
          (kind) => sql`select * from (select ${waitingColumns(s)} from ${table} as "s"
            ${byWaitingIndex} where ${isWaiting(s, kind)} and ${s.id} > ${from[kind].after}
            order by ${s.id} limit ${from[kind].limit}) as ${sql.identifier(kind)}`,
        )
      if (parts.length === 0) return []
      const query = sql.join(parts, sql` union all `)
      return pieces.piece(async () => {
        const rows = await manyRows(database, query, waitingFields)
        return inOrder(rows.map(waitingSend))
      })
    },

    /** Ids of waiting sends up to the last read id: some of them were resent or stored late. */
    async readWaitingIds(kinds: readonly SendKind[], upTo: ReadFrom): Promise<number[]> {
      if (kinds.length === 0) return []
      const parts = kinds.map(
        (kind) => sql`select ${s.id} as "id" from ${table} as "s" ${byWaitingIndex}
          where ${isWaiting(s, kind)} and ${s.id} <= ${upTo[kind].after}`,
      )
      const query = sql.join(parts, sql` union all `)
      return idsOf(await pieces.piece(() => manyRows(database, query, ['id'])))
    },

    async readByIds(ids: readonly number[]): Promise<WaitingSend[]> {
      const found: Row[] = []
      await pieces.each(ids, async (some) => {
        const query = sql`select ${waitingColumns(s)} from ${table} as "s"
          where ${database.isOneOf(s.id, some)} and ${checked(sql`${s.state} = 'queued'`)}`
        found.push(...(await manyRows(database, query, waitingFields)))
      })
      return inOrder(found.map(waitingSend))
    },

    /** All waiting sends of the profiles of these sends, because an earlier one blocks them. */
    async readOfProfiles(
      ids: readonly number[],
      { limit }: { limit: number },
    ): Promise<WaitingSend[]> {
      const found: WaitingSend[] = []
      await pieces.each(ids, async (some) => {
        const query = sql`select ${waitingColumns(s)}
          from ${table} as "s" where ${s.profile} in (select ${bare.profile} from ${table}
            where ${database.isOneOf(bare.id, some)}) and ${s.state} = 'queued'
          order by ${s.id} limit ${limit}`
        found.push(...(await manyRows(database, query, waitingFields)).map(waitingSend))
      })
      return found
    },

    /** The sends that were in calls when the previous deliverer stopped. */
    async readInFlight(): Promise<InFlightSend[]> {
      const rows = await database.rows(sql`select ${waitingColumns(s)}
        from ${table} as "s" ${byWaitingIndex}
        where ${ofAnyKind(s)} and ${s.state} = 'sending' order by ${s.id}`)
      return rows.map((row) => ({ ...waitingSend(row), call: textOf(row.call) }))
    },

    /**
     * Marks the sends of each call before it is made. Resolves to their messages by id. A send that no
     * longer waits, or that an earlier send of its profile blocks, is left out. So is one whose row is
     * another send by now: SQLite gives the id of a deleted row to a new one.
     *
     * @throws {LeaseLost}
     */
    async begin(
      calls: readonly { name: string; sends: readonly NamedSend[] }[],
      lease: Lease,
      logs: CallLogs,
    ): Promise<Map<number, Message>> {
      if (!(await lease.renew(logs))) throw new LeaseLost()
      const rows = calls.flatMap(({ name, sends }) =>
        sends.map(({ id, kind, profile }) => ({ send: id, call: name, kind, profile })),
      )
      const messages = new Map<number, Message>()
      await pieces.each(rows, async (some) => {
        const begun = await markAsSending(some, lease)
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

    /** The values of waiting sends of these profiles that were in a call before. */
    async readRepeats(profiles: readonly string[]): Promise<SendValues[]> {
      const found: Row[] = []
      await pieces.each(profiles, async (some) => {
        const isRepeat = sql`${s.kind} <> 'past-event' and (${s.attempts} > 0 or ${s.call} is not null)`
        const query = sql`select ${s.id} as "id", ${s.message} as "message" from ${table} as "s"
          where ${database.isOneOf(s.profile, some)} and ${s.state} = 'queued' and ${checked(isRepeat)}`
        found.push(...(await database.rows(query)))
      })
      return found.map(({ id, message }) => ({
        id: Number(id),
        profile: (parsedJson(message) as Message).profile,
      }))
    },

    /**
     * The values of events and identifies of these profiles that were sent although an earlier send was not:
     * that one was resent. The same values are there once.
     */
    async readSentAfter(
      earlier: readonly { profile: string; id: number }[],
    ): Promise<SendValues[]> {
      const found: Row[] = []
      const values = database.isSqlite
        ? sql`${s.message} -> '$.profile'`
        : sql`${s.message} -> 'profile'`
      await pieces.each(earlier, async (some) => {
        const { profile, id } = shape
        const query = sql`select max(${s.id}) as "id", ${values} as "profile"
          from ${jsonRows(database, { profile, id }, some)} as "earlier"
          join ${table} as "s" on ${s.profile} = "earlier"."profile" and ${s.state} = 'sent'
            and ${s.id} > "earlier"."id"
          where ${checked(sql`${s.kind} in ('event', 'identify')`)} group by ${values}`
        found.push(...(await database.rows(query)))
      })
      return found.map((row) => ({
        id: Number(row.id),
        profile: parsedJson(row.profile) as Profile,
      }))
    },

    /** When an event or identify of these profiles was last sent, between two moments. */
    async readLastSent(
      profiles: readonly string[],
      { from, to }: { from: Date; to: Date },
    ): Promise<Map<string, Date>> {
      const found: Row[] = []
      await pieces.each(profiles, async (some) => {
        const isBetween = sql`${s.kind} in ('event', 'identify')
          and ${s.sentAt} > ${from.toISOString()} and ${s.sentAt} <= ${to.toISOString()}`
        const query = sql`select ${s.profile} as "profile", max(${s.sentAt}) as "sentAt"
          from ${table} as "s" where ${database.isOneOf(s.profile, some)} and ${s.state} = 'sent'
            and ${checked(isBetween)} group by ${s.profile}`
        found.push(...(await database.rows(query)))
      })
      return new Map(
        found.map(({ profile, sentAt }) => [String(profile), new Date(String(sentAt))]),
      )
    },

    /**
     * The newest subscriptions of these profiles and their ends, in every state, and the ends that name
     * one of these phone numbers. The earliest first.
     */
    async readSubscriptions(
      profiles: readonly string[],
      phoneNumbers: readonly string[],
    ): Promise<OwnSubscription[]> {
      const byId = new Map<number, Row>()
      const read = async (where: SQL): Promise<void> => {
        const rows =
          await database.rows(sql`select * from (select ${s.id} as "id", ${s.message} as "message",
            ${s.acceptedAt} as "acceptedAt",
            case when ${s.state} = 'sent' then ${s.sentAt} end as "sentAt",
            row_number() over (partition by ${s.profile}, ${s.kind} order by ${s.id} desc) as "place"
          from ${table} as "s" ${where}) as "newest" where "place" <= ${subscriptionsOfKind}`)
        for (const row of rows) byId.set(Number(row.id), row)
      }
      const isOfKind = checked(sql`${s.kind} in ('subscribe', 'consent', 'unsubscribe')`)
      await pieces.each(profiles, (some) =>
        read(sql`where ${database.isOneOf(s.profile, some)} and ${isOfKind}`),
      )
      await pieces.each(phoneNumbers, (some) => {
        const isOfPhone = database.isOneOf(profileValue(database, s, 'phoneNumber'), some)
        return read(sql`${byWaitingIndex} where ${s.kind} = 'unsubscribe' and ${isOfPhone}`)
      })
      return [...byId]
        .sort(([one], [other]) => one - other)
        .flatMap(([id, row]) => {
          const message = parsedJson(row.message) as Message
          if (message.kind !== 'subscribe' && message.kind !== 'unsubscribe') return []
          const acceptedAt = new Date(String(row.acceptedAt))
          return { id, message, acceptedAt, sentAt: momentOf(row.sentAt) }
        })
    },

    /** Writes the outcomes. When the process dies meanwhile, the rest of them counts as lost. */
    settle: (settlements: readonly Settlement[], lease: Lease, now: Date): Promise<void> =>
      pieces.each(settlements, (some) => settleAtOnce(some, lease, now)),

    /** Waiting sends that were alone in a call when their process died, in the order of their ids. */
    async readSuspects(): Promise<WaitingSend[]> {
      const rows = await database.rows(sql`select ${waitingColumns(s)}
        from ${table} as "s" where ${ofAnyKind(s)} and ${s.state} = 'queued'
          and ${checked(sql`${s.crashes} > 0`)} order by ${s.id}`)
      return rows.map(waitingSend)
    },

    /** Makes waiting sends wait until a later moment. */
    async putOff(
      waits: readonly { id: number; nextAttemptAt: Date }[],
      lease: Lease,
    ): Promise<void> {
      if (waits.length === 0) return
      const { id, nextAttemptAt } = shape
      const until = jsonRows(database, { id, nextAttemptAt }, waits)
      await database.run(sql`update ${table} as "s" set ${bare.nextAttemptAt} = "r"."nextAttemptAt"
        from ${until} as "r" where ${s.id} = "r"."id" and ${checked(sql`${s.state} = 'queued'`)}
          and ${lease.isHeld}`)
    },

    /** Shortens all waits: the process that wrote them had a clock that was this far ahead. */
    async bringForward(ms: number, lease: Lease): Promise<void> {
      const seconds = ms / 1_000
      const earlier = database.isSqlite
        ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${bare.nextAttemptAt}, ${`-${seconds} seconds`})`
        : sql`${bare.nextAttemptAt} - ${`${seconds} seconds`}::interval`
      await database.run(sql`update ${table} set ${bare.nextAttemptAt} = ${earlier}
        where ${ofAnyKind(bare)} and ${bare.state} in ('queued', 'sending')
          and ${checked(sql`${bare.nextAttemptAt} <> ${bare.acceptedAt}`)} and ${lease.isHeld}`)
    },

    /** Makes waiting sends of these kinds due at once; suspects then. */
    async release(
      kinds: readonly SendKind[],
      ...[lease, now, suspectsAt = now]: [lease: Lease, now: Date, suspectsAt?: Date]
    ): Promise<void> {
      for (const kind of kinds) await releaseKind(kind, lease, { now, suspectsAt })
    },

    /**
     * Deletes a limited number of sends that were sent or skipped before `before`, or that failed
     * and were accepted before `failedBefore`. So go those that wait while there is no key. An unsubscribe stays: Klaviyo does not know of it, and a
     * merchant decides. What was sent after a failed send of its profile stays as long as that one, which gets
     * its values when it is resent; so does a subscription after a failed unsubscribe. Resolves to how many.
     */
    async prune(before: Date, failedBefore: Date, { isWithoutKey = false } = {}): Promise<number> {
      const f = as('f')
      const isEnded = sql`${checked(sql`${s.state} in ('sent', 'skipped')`)}
        and not exists (select 1 from ${table} as "f" where ${f.profile} = ${s.profile}
          and ${f.state} in ('failed', 'queued', 'sending') and ${f.id} < ${s.id}
          and ${checked(sql`(${f.kind} in ('event', 'identify')
            or (${f.kind} = 'unsubscribe' and ${s.kind} in ('subscribe', 'consent')))`)})`
      const failed = isWithoutKey ? sql`('failed', 'queued')` : sql`('failed')`
      const isOver = checked(
        sql`${bare.state} in ('sent', 'skipped') or ${bare.state} in ${failed}`,
      )
      let count = 0
      for (const old of [
        sql`where ${s.sentAt} < ${before.toISOString()} and ${isEnded} order by ${s.sentAt}`,
        sql`${byWaitingIndex} where ${ofAnyKind(s)} and ${s.state} in ${failed}
          and ${checked(sql`${s.kind} <> 'unsubscribe'`)}
          and ${s.acceptedAt} < ${failedBefore.toISOString()} order by ${s.id}`,
      ]) {
        // Rows are found before they are deleted, because a write statement blocks every other writer
        // in SQLite.
        const found = await pieces.piece(() =>
          database.rows(sql`select ${s.id} as "id" from ${table} as "s"
            ${old} limit ${deletedAtOnce - count}`),
        )
        await pieces.each(idsOf(found), async (some) => {
          const deleted = await database.rows(sql`delete from ${table}
            where ${database.isOneOf(bare.id, some)} and ${isOver} returning ${bare.id} as "id"`)
          count += deleted.length
        })
      }
      return count
    },
  }

  /** By a few thousand ids at a time, as most sends of a long queue have never been put off. */
  async function releaseKind(
    kind: SendKind,
    lease: Lease,
    { now, suspectsAt }: { now: Date; suspectsAt: Date },
  ): Promise<void> {
    const moments: [isOne: SQL, at: Date][] =
      suspectsAt > now
        ? [
            [sql`${bare.crashes} = 0`, now],
            [sql`${bare.crashes} > 0`, suspectsAt],
          ]
        : [[sql`true`, now]]
    let after = 0
    for (;;) {
      const ids = sql`select ${s.id} as "id" from ${table} as "s" ${byWaitingIndex}
        where ${isWaiting(s, kind)} and ${s.id} > ${after} order by ${s.id} limit ${lookedAtOnce}`
      const [last] = await pieces.piece(() =>
        database.rows(sql`select max("id") as "id" from (${ids}) as "some"`),
      )
      const upTo = Number(last?.id ?? 0)
      if (upTo === 0) return
      for (const [isOne, at] of moments) {
        const nextAttemptAt = at.toISOString()
        const isPutOff = sql`${bare.nextAttemptAt} > ${nextAttemptAt} and ${isOne}`
        const where = sql`${isWaiting(bare, kind)} and ${bare.id} > ${after} and ${bare.id} <= ${upTo}
          and ${checked(isPutOff)} and ${lease.isHeld}`
        await pieces.piece(() => database.update(table, { nextAttemptAt }, where))
      }
      after = upTo
    }
  }

  /** Resolves to the ids that are marked now. */
  async function markAsSending(rows: readonly Row[], lease: Lease): Promise<number[]> {
    const { id, call, kind, profile } = shape
    const wanted = jsonRows(database, { send: id, call, kind, profile }, rows)
    const b = as('b')
    const isPast = (of: SQL) => sql`(${of} = 'past-event')`
    // Looked up once for each line of sends, and not for each send, as one person may have them all.
    const ofLine = sql`${b.profile} = "line"."profile"
      and ${checked(sql`${isPast(b.kind)} = "line"."isPast"`)}`
    const isSame = sql`${s.kind} = "wanted"."kind" and ${s.profile} = "wanted"."profile"`
    const begun = await database.rows(
      sql`with "wanted" as materialized (select * from ${wanted} as "rows"),
        "lines" as materialized (select "profile", "isPast",
            exists (select 1 from ${table} as "b" where ${ofLine} and ${b.state} = 'sending'
              and ${checked(sql`${b.call} is distinct from "line"."call"`)}) as "isBusy",
            (select ${b.id} from ${table} as "b" where ${ofLine} and ${b.state} = 'queued'
              and ${checked(sql`${b.id} not in (select "send" from "wanted")`)}
              order by ${b.id} limit 1) as "blocker"
          from (select distinct "profile", ${isPast(sql`"kind"`)} as "isPast", "call"
            from "wanted") as "line")
        update ${table} as "s" set ${bare.state} = 'sending', ${bare.call} = "wanted"."call"
        from "wanted" join "lines" on "lines"."profile" = "wanted"."profile"
          and ${checked(sql`"lines"."isPast" = ${isPast(sql`"wanted"."kind"`)}`)}
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

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

/** How many rows a statement reads when it writes only some of them. */
const lookedAtOnce = 2_000

/** Small enough that others do not wait long for the database. */
const deletedAtOnce = 1000

/** The most subscriptions of one kind and profile. Anybody can post more, but nothing depends on older ones. */
const subscriptionsOfKind = 50

/** A send as the deliverer remembers it. */
type NamedSend = Pick<WaitingSend, 'id' | 'kind' | 'profile'>

/** The values that a send has for its profile. */
export interface SendValues {
  id: number
  profile: Profile
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

const idsOf = (rows: readonly Row[]): number[] => rows.map(({ id }) => Number(id))

const isWaiting = ({ state, kind }: SendColumns, of: SendKind): SQL =>
  sql`${kind} = ${sql.raw(`'${of}'`)} and ${state} = 'queued'`

const waitingFields: readonly SendField[] = [
  'id',
  'kind',
  'profile',
  'list',
  'bytes',
  'batchSize',
  'attempts',
  'crashes',
  'acceptedAt',
  'nextAttemptAt',
  'call',
]

/** The columns of a waiting send, from the alias `s`. */
function waitingColumns(s: SendColumns): SQL {
  const fields = waitingFields.map((field) => sql`${s[field]} as ${sql.identifier(field)}`)
  return sql.join(fields, sql`, `)
}

function waitingSend(row: Row): WaitingSend {
  return {
    id: Number(row.id),
    kind: row.kind as SendKind,
    profile: String(row.profile),
    list: textOf(row.list),
    bytes: Number(row.bytes),
    batchSize: row.batchSize === null ? Number.POSITIVE_INFINITY : Number(row.batchSize),
    attempts: Number(row.attempts),
    crashes: Number(row.crashes),
    acceptedAt: new Date(String(row.acceptedAt)),
    dueAt: row.nextAttemptAt === null ? 0 : new Date(String(row.nextAttemptAt)).getTime(),
    isUnanswered: row.call !== null,
  }
}

const inOrder = <Send extends { id: number }>(sends: Send[]): Send[] =>
  sends.sort((one, other) => one.id - other.id)

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined
