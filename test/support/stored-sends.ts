import { sql, type SQL } from 'drizzle-orm'
import type { Message, MessageKind } from '../../src/marketing/klaviyo/message.js'
import type { SendState } from '../../src/marketing/delivery/send.js'
import { momentOf, sqlDatabase } from '../../src/core/database/database.js'
import { parsedJson } from '../../src/core/database/json-rows.js'
import { sendTable, type SendColumns } from '../../src/marketing/delivery/send-table.js'
import type { TestStore } from './store.js'

type Stored = Pick<TestStore, 'payload'>

/** What is stored of a send. */
export interface StoredSend {
  id: number
  key: string
  state: SendState
  kind: MessageKind
  /** Such as `email:ada@example.com`. */
  profile: string
  list: string | undefined
  uniqueId: string | undefined
  message: Message
  attempts: number
  /** In milliseconds since 1970. */
  dueAt: number | undefined
  /** Whether a process was lost while it had the send, or a call failed. */
  hadTrouble: boolean
  error: { code: string; detail: string; pointer: string | undefined } | undefined
  call: string | undefined
}

/** In the order of their ids. */
export async function readSends({ payload }: Stored): Promise<StoredSend[]> {
  const database = sqlDatabase(payload)
  const { table, bare } = sendTable(database)
  const rows = await database.rows(sql`select ${bare.id} as "id", ${bare.state} as "state",
      ${bare.key} as "key", ${bare.message} as "message", ${bare.nextAttemptAt} as "dueAt",
      ${bare.kind} as "kind", ${bare.profile} as "profile", ${bare.list} as "list",
      ${bare.uniqueId} as "uniqueId", ${bare.attempts} as "attempts",
      case when ${bare.batchSize} is null then 0 else 1 end + ${bare.crashes} + ${bare.attempts} as "troubles", ${bare.errorCode} as "code",
      ${bare.errorDetail} as "detail", ${bare.errorPointer} as "pointer", ${bare.call} as "call"
    from ${table} order by ${bare.id}`)
  const text = (value: unknown) => (value === null ? undefined : String(value))
  return rows.map((row) => ({
    id: Number(row.id),
    key: String(row.key),
    state: String(row.state) as SendState,
    kind: String(row.kind) as MessageKind,
    profile: String(row.profile),
    list: text(row.list),
    uniqueId: text(row.uniqueId),
    message: parsedJson(row.message) as Message,
    attempts: Number(row.attempts),
    dueAt: momentOf(row.dueAt)?.getTime(),
    hadTrouble: Number(row.troubles) > 0,
    error:
      row.code === null
        ? undefined
        : { code: String(row.code), detail: String(row.detail), pointer: text(row.pointer) },
    call: text(row.call),
  }))
}

/** State and error code of every send, by key. */
export async function readStates(store: Stored): Promise<Record<string, string>> {
  const sends = await readSends(store)
  return Object.fromEntries(sends.map((send) => [send.key, stateOf(send)]))
}

/** Such as `failed invalid`. */
export const stateOf = ({ state, error }: StoredSend): string =>
  error === undefined ? state : `${state} ${error.code}`

export async function idOfKey({ payload }: Stored, key: string): Promise<number> {
  const database = sqlDatabase(payload)
  const { table, bare } = sendTable(database)
  const [row] = await database.rows(
    sql`select ${bare.id} as "id" from ${table} where ${bare.key} = ${key}`,
  )
  return Number(row?.id)
}

/** How many are not over. */
export const countWaiting = (store: Stored): Promise<number> =>
  countWhere(store, ({ state }) => sql`${state} in ('queued', 'sending')`)

async function countWhere(
  { payload }: Stored,
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
