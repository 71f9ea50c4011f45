import { sql } from 'drizzle-orm'
import { sendTable } from '../../../src/delivery/send-table.js'
import type { OutboxStore } from './outbox-store.js'

/** State and error code of every send, by key. */
export async function readStates({ database }: OutboxStore): Promise<Record<string, string>> {
  const { table, bare } = sendTable(database)
  const rows = await database.rows(sql`select ${bare.key} as "key", ${bare.state} as "state",
    ${bare.errorCode} as "code" from ${table} order by ${bare.id}`)
  return Object.fromEntries(
    rows.map(({ key, state, code }) => [
      key,
      code === null ? state : `${String(state)} ${String(code)}`,
    ]),
  ) as Record<string, string>
}

export async function idOfKey({ database }: OutboxStore, key: string): Promise<number> {
  const { table, bare } = sendTable(database)
  const [row] = await database.rows(
    sql`select ${bare.id} as "id" from ${table} where ${bare.key} = ${key}`,
  )
  return Number(row?.id)
}
