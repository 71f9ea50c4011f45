import { sql, type SQL } from 'drizzle-orm'
import type { MessageKind } from '../../../src/klaviyo/message.js'
import type { SendState } from '../../../src/delivery/send.js'
import { sqlDatabase } from '../../../src/database/database.js'
import { sendTable, type SendColumns } from '../../../src/delivery/send-table.js'
import type { TestStore } from '../../support/store.js'

/** What is stored of a send. */
export interface StoredSend {
  id: number
  state: SendState
  kind: MessageKind
  /** Such as `email:ada@example.com`. */
  profile: string
  list: string | undefined
  uniqueId: string | undefined
  attempts: number
  /** Whether a process was lost while it had the send, or a call failed. */
  hadTrouble: boolean
  error: { code: string; detail: string; pointer: string | undefined } | undefined
  call: string | undefined
}

export async function readSends({ payload }: TestStore): Promise<StoredSend[]> {
  const database = sqlDatabase(payload)
  const { table, bare } = sendTable(database)
  const rows = await database.rows(sql`select ${bare.id} as "id", ${bare.state} as "state",
      ${bare.kind} as "kind", ${bare.profile} as "profile", ${bare.list} as "list",
      ${bare.uniqueId} as "uniqueId", ${bare.attempts} as "attempts",
      case when ${bare.batchSize} is null then 0 else 1 end + ${bare.crashes} + ${bare.attempts} as "troubles", ${bare.errorCode} as "code",
      ${bare.errorDetail} as "detail", ${bare.errorPointer} as "pointer", ${bare.call} as "call"
    from ${table} order by ${bare.id}`)
  const text = (value: unknown) => (value === null ? undefined : String(value))
  return rows.map((row) => ({
    id: Number(row.id),
    state: String(row.state) as SendState,
    kind: String(row.kind) as MessageKind,
    profile: String(row.profile),
    list: text(row.list),
    uniqueId: text(row.uniqueId),
    attempts: Number(row.attempts),
    hadTrouble: Number(row.troubles) > 0,
    error:
      row.code === null
        ? undefined
        : { code: String(row.code), detail: String(row.detail), pointer: text(row.pointer) },
    call: text(row.call),
  }))
}

/** How many are not over. */
export const countWaiting = (store: TestStore): Promise<number> =>
  countWhere(store, ({ state }) => sql`${state} in ('queued', 'sending')`)

/** The same, and those whose import may turn out to have failed. */
export const countUnfinished = (store: TestStore): Promise<number> =>
  countWhere(
    store,
    ({ state, job }) => sql`${state} in ('queued', 'sending') or ${job} is not null`,
  )

async function countWhere(
  { payload }: TestStore,
  condition: (columns: SendColumns) => SQL,
): Promise<number> {
  const database = sqlDatabase(payload)
  const { table, bare } = sendTable(database)
  const [row] = await database.rows(
    sql`select count(*) as "count" from ${table} where ${condition(bare)}`,
  )
  return Number(row?.count)
}

export function countByState(sends: readonly StoredSend[]): Partial<Record<SendState, number>> {
  const counts: Partial<Record<SendState, number>> = {}
  for (const { state } of sends) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
