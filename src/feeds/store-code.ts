import { sql } from 'drizzle-orm'
import { isBusyDatabase } from '../database/database.js'
import type { Shop } from '../shop.js'

/** Names in the log the document for which something failed. */
type About = Readonly<Record<string, unknown>>

/**
 * Runs work that calls the store's own code: `orders.map`, hooks, reading of products. When that code
 * fails, the failure is logged and the result is undefined.
 *
 * @throws the database's own error, when it is busy or cannot be reached.
 */
export async function guarded<Result>(
  { database, log }: Shop,
  work: () => Promise<Result>,
  { sentence, about }: { sentence: string; about: About | (() => Promise<About>) },
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isBusyDatabase(error)) throw error
    await database.rows(sql`select 1`)
    const named = typeof about === 'function' ? await about() : about
    log.error({ err: error, ...named }, sentence)
    return undefined
  }
}
