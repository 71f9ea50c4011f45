import { sql, type SQL } from 'drizzle-orm'
import { selected } from '../../core/database/database.js'
import { textOf } from '../../core/payload/document-value.js'
import type { Row } from '../../core/database/database.js'
import { jsonRows, manyRows } from '../../core/database/json-rows.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import type { Lease } from '../../core/workers/lease.js'
import { perKind, sendKinds, type SendKind, type WaitingSend } from './send.js'
import type { SendField } from './send-fields.js'
import { idsOf, isWaiting, type SendStatements } from './send-statements.js'
import { checked, ofAnyKind, overKey } from './send-table.js'
import { errorColumns } from './sends-in-calls.js'

/** For each kind: the last id that was read, and how many more sends may be read. */
export type ReadFrom = Readonly<Record<SendKind, { after: number; limit: number }>>

/** A send that was in a call when the previous deliverer died. */
export interface InFlightSend extends WaitingSend {
  call: string | undefined
}

/** How many rows a statement reads when it writes only some of them. */
const lookedAtOnce = 2_000

/** Reads the sends that wait or are in a call, without their messages, and changes when they are due. */
export function waitingSends({
  database,
  table,
  bare,
  s,
  shape,
  byWaitingIndex,
  pieces,
}: SendStatements) {
  const waitingColumns = database.fixed(
    selected(Object.fromEntries(waitingFields.map((field) => [field, s[field]]))),
  )
  /** Begins a condition of the ids of the waiting sends of a kind, each under the alias `s`. */
  const waitingOf = perKind((kind) =>
    database.fixed(sql`${table} as "s" ${byWaitingIndex} where ${isWaiting(s, kind)} and ${s.id}`),
  )
  return {
    /** The next waiting sends of each kind, in the order of their ids. */
    async readWaiting(from: ReadFrom): Promise<WaitingSend[]> {
      const queries = sendKinds
        .filter((kind) => from[kind].limit > 0)
        .map(
          (kind) => sql`select * from (select ${waitingColumns()}
            from ${waitingOf[kind]()} > ${from[kind].after} order by ${s.id}
            limit ${from[kind].limit}) as ${sql.identifier(kind)}`,
        )
      if (queries.length === 0) return []
      const query = sql.join(queries, sql` union all `)
      return pieces.piece(async () => {
        const rows = await manyRows(database, query, waitingFields)
        return inOrder(rows.map(waitingSend))
      })
    },

    /** Ids of waiting sends up to the last read id: some of them were resent or stored late. */
    async readWaitingIds(kinds: readonly SendKind[], upTo: ReadFrom): Promise<number[]> {
      if (kinds.length === 0) return []
      const queries = kinds.map(
        (kind) => sql`select ${s.id} as "id" from ${waitingOf[kind]()} <= ${upTo[kind].after}`,
      )
      const query = sql.join(queries, sql` union all `)
      return idsOf(await pieces.piece(() => manyRows(database, query, ['id'])))
    },

    async readByIds(ids: readonly number[]): Promise<WaitingSend[]> {
      const found: Row[] = []
      await pieces.each(ids, async (some) => {
        const query = sql`select ${waitingColumns()} from ${table} as "s"
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
        const query = sql`select ${waitingColumns()}
          from ${table} as "s" where ${s.profile} in (select ${bare.profile} from ${table}
            where ${database.isOneOf(bare.id, some)}) and ${s.state} = 'queued'
          order by ${s.id} limit ${limit}`
        found.push(...(await manyRows(database, query, waitingFields)).map(waitingSend))
      })
      return found
    },

    /** The sends that were in calls when the previous deliverer stopped. */
    async readInFlight(): Promise<InFlightSend[]> {
      const rows = await database.rows(sql`select ${waitingColumns()}
        from ${table} as "s" ${byWaitingIndex}
        where ${ofAnyKind(s)} and ${s.state} = 'sending' order by ${s.id}`)
      return rows.map((row) => ({ ...waitingSend(row), call: textOf(row.call) }))
    },

    /** Waiting sends that were alone in a call when their process died, in the order of their ids. */
    async readSuspects(): Promise<WaitingSend[]> {
      const rows = await database.rows(sql`select ${waitingColumns()}
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

    /**
     * Gives up all who wait for a product. Who asks again is a new one. Resolves to the ids of their sends; none when the
     * lease is lost.
     */
    async endBackInStock(error: KlaviyoError, lease: Lease): Promise<number[]> {
      const { reason, errorCode, errorDetail } = errorColumns(error)
      const ended: number[] = []
      for (;;) {
        const most = pieces.rowsAtOnce()
        const next = sql`select ${s.id} from ${waitingOf['back-in-stock']()} > 0
          order by ${s.id} limit ${most}`
        const some = await pieces.piece(() =>
          database.rows(sql`update ${table} set ${bare.state} = 'failed',
              ${bare.key} = ${overKey(bare)}, ${bare.reason} = ${reason},
              ${bare.errorCode} = ${errorCode}, ${bare.errorDetail} = ${errorDetail}
            where ${bare.id} in (${next}) and ${checked(sql`${bare.state} = 'queued'`)}
              and ${lease.isHeld} returning ${bare.id} as "id"`),
        )
        ended.push(...idsOf(some))
        if (some.length < most) return ended
      }
    },

    /** Makes waiting sends of these kinds due at once; suspects then. */
    async release(
      kinds: readonly SendKind[],
      ...[lease, now, suspectsAt = now]: [lease: Lease, now: Date, suspectsAt?: Date]
    ): Promise<void> {
      for (const kind of kinds) await releaseKind(kind, lease, { now, suspectsAt })
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
      const ids = sql`select ${s.id} as "id" from ${waitingOf[kind]()} > ${after}
        order by ${s.id} limit ${lookedAtOnce}`
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
}

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
