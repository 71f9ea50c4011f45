import { sql } from 'drizzle-orm'
import { isBusyDatabase } from '../store/payload/busy-database.js'
import type { ShopParts } from './shop-parts.js'

type About = Readonly<Record<string, unknown>>

/**
 * Runs what may fail by the store's own code: `mapOrder`, hooks, what reads its products. A failure is
 * logged, and costs what the work was for alone. A database that is away or busy is no such failure.
 *
 * @throws what the database fails with.
 */
export async function guarded<Result>(
  { database, payload }: Pick<ShopParts, 'database' | 'payload'>,
  work: () => Promise<Result>,
  { about, sentence }: { about: () => About | Promise<About>; sentence: string },
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isBusyDatabase(error)) throw error
    await database.rows(sql`select 1`)
    payload.logger.error({ err: error, ...(await about()) }, sentence)
    return undefined
  }
}
