import { sql } from 'drizzle-orm'
import { isBusyDatabase } from '../../core/database/database.js'
import type { Shop } from '../../core/shop.js'

/** For the log. */
export type About = Readonly<Record<string, unknown>>

/**
 * For work that calls the store's own code. When it fails twice, that is logged and the result is undefined; the second
 * time tells it from a database that was lost for a moment.
 *
 * @throws the database's own error, when it is busy or cannot be reached.
 */
export async function guarded<Result>(
  { database, log }: Shop,
  work: () => Promise<Result>,
  { sentence, about }: { sentence: string; about: About | (() => Promise<About>) },
): Promise<Result | undefined> {
  const reachable = async (error: unknown) => {
    if (isBusyDatabase(error)) throw error
    await database.rows(sql`select 1`)
  }
  try {
    return await work()
  } catch (error) {
    await reachable(error)
  }
  try {
    return await work()
  } catch (error) {
    await reachable(error)
    const named = typeof about === 'function' ? await about() : about
    log.error({ err: error, ...named }, sentence)
    return undefined
  }
}
