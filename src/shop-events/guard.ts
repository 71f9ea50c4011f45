import { sql } from 'drizzle-orm'
import { isBusyDatabase } from '../store/payload/busy-database.js'
import type { Database } from '../store/payload/database.js'
import type { Log } from '../store/log.js'

type About = Readonly<Record<string, unknown>>

export interface Guarded {
  /** What the log says of a failure; asked for when there is one. */
  about: () => About | Promise<About>
  sentence: string
}

/** Runs what may fail by the store's own code: `mapOrder`, hooks, what reads its products. */
export type Guard = <Result>(
  work: () => Promise<Result>,
  guarded: Guarded,
) => Promise<Result | undefined>

/**
 * A failure is logged, and costs what the work was for alone. A database that is away or busy is no
 * such failure.
 *
 * @throws what the database fails with.
 */
export const createGuard =
  ({ database, log }: { database: Pick<Database, 'rows'>; log: Log }): Guard =>
  async (work, { about, sentence }) => {
    try {
      return await work()
    } catch (error) {
      if (isBusyDatabase(error)) throw error
      await database.rows(sql`select 1`)
      log.error({ err: error, ...(await about()) }, sentence)
      return undefined
    }
  }
