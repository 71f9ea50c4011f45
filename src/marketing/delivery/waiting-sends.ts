import { sql, type SQL } from 'drizzle-orm'
import type { Row } from '../../core/database/database.js'
import { manyRows } from '../../core/database/json-rows.js'
import type { InFlightSend } from './lost-calls.js'
import { sendKinds, type SendKind, type WaitingSend } from './send.js'
import type { SendField } from './send-fields.js'
import { idsOf, isWaiting, type SendStatements } from './send-statements.js'
import { checked, ofAnyKind, type SendColumns } from './send-table.js'

/** For each kind: the last id that was read, and how many more sends may be read. */
export type ReadFrom = Readonly<Record<SendKind, { after: number; limit: number }>>

/** Reads the sends that wait or are in a call, without their messages. */
export function waitingSends({ database, table, bare, s, byWaitingIndex, pieces }: SendStatements) {
  return {
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

    /** Waiting sends that were alone in a call when their process died, in the order of their ids. */
    async readSuspects(): Promise<WaitingSend[]> {
      const rows = await database.rows(sql`select ${waitingColumns(s)}
        from ${table} as "s" where ${ofAnyKind(s)} and ${s.state} = 'queued'
          and ${checked(sql`${s.crashes} > 0`)} order by ${s.id}`)
      return rows.map(waitingSend)
    },
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
