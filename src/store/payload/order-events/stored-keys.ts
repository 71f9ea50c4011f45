import { sql } from 'drizzle-orm'
import { column, type Database } from '../database.js'
import { sendsSlug } from '../outbox/send-table.js'

/** Which of these keys sends are stored by. */
export type StoredKeys = (keys: readonly string[]) => Promise<ReadonlySet<string>>

export function createStoredKeys(database: Database): StoredKeys {
  const sends = database.table(sendsSlug)
  const key = column(sends, 'key')
  return async (keys) => {
    if (keys.length === 0) return new Set()
    const rows = await database.rows(
      sql`select ${key} as "key" from ${sends} where ${database.isOneOf(key, keys)}`,
    )
    return new Set(rows.map((row) => String(row.key)))
  }
}
