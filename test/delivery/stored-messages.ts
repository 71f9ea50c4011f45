import { sql } from 'drizzle-orm'
import { sendTable } from '../../src/delivery/send-table.js'
import type { Message } from '../../src/klaviyo/message.js'
import type { Database } from '../../src/database/database.js'
import { parsedJson } from '../../src/database/json-rows.js'

/** What is stored of these profiles, in the order of the ids. */
export async function readMessages(
  database: Database,
  profiles: readonly string[],
): Promise<Message[]> {
  const { table, bare } = sendTable(database)
  const rows = await database.rows(sql`select ${bare.message} as "message" from ${table}
    where ${database.isOneOf(bare.profile, profiles)} order by ${bare.id}`)
  return rows.map(({ message }) => parsedJson(message) as Message)
}
