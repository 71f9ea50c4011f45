import { sql } from 'drizzle-orm'
import { sqlDatabase } from '../../src/core/database/database.js'
import type { TestStore } from './store.js'

/** Every row of every table as JSON, by the name of the table. */
export async function wholeDatabase({
  payload,
}: Pick<TestStore, 'payload'>): Promise<Map<string, string>> {
  const database = sqlDatabase(payload)
  const tables = await database.rows(
    database.isSqlite
      ? sql`select name as "name" from sqlite_master where type = 'table'`
      : sql`select table_name as "name" from information_schema.tables where table_schema = 'public'`,
  )
  const whole = new Map<string, string>()
  for (const { name } of tables) {
    const rows = await database.rows(sql`select * from ${sql.identifier(String(name))}`)
    whole.set(String(name), JSON.stringify(rows))
  }
  return whole
}

/** A text in every form in which a store may hold it. */
export const formsOf = (text: string): string[] => {
  const plain = [text, text.toLowerCase(), text.toUpperCase()]
  return [
    ...new Set(
      plain.flatMap((each) => [
        each,
        encodeURIComponent(each),
        JSON.stringify(each).slice(1, -1),
        JSON.stringify(JSON.stringify(each)).slice(3, -3),
        // In the middle of a longer text base64 has one of three forms, each without its uncertain ends.
        ...[0, 1, 2].map((before) =>
          Buffer.from('x'.repeat(before) + each)
            .toString('base64')
            .slice(before === 0 ? 0 : 4, -4),
        ),
      ]),
    ),
  ].filter((form) => form.length > 4)
}
