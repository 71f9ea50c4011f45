import { sql } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import type { Log } from '../../log.js'
import type { Database } from '../database.js'
import { keptOpen } from '../kept-open.js'

export interface Guarded<Otherwise> {
  /** The request whose transaction the work is in. */
  req?: PayloadRequest | undefined
  /** What the log says of a failure; asked for when there is one. */
  about: () => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>
  sentence: string
  /** What a failure gives. */
  otherwise: Otherwise
}

/** Runs what may fail by the store's own code: `mapOrder`, hooks, what reads its products. */
export type FailureGuard = <Result, Otherwise>(
  work: (req?: PayloadRequest) => Promise<Result>,
  guarded: Guarded<Otherwise>,
) => Promise<Result | Otherwise>

/**
 * A failure is logged and costs what the work was for. A database that is away is no such failure, nor
 * is a statement that ended the request's transaction: nothing more would be written in that.
 */
export const createFailureGuard =
  ({ database, log }: { database: Database; log: Log }): FailureGuard =>
  async (work, { req, about, sentence, otherwise }) => {
    try {
      return await work(req && keptOpen(req))
    } catch (error) {
      const connection = req ? await database.within(req) : database
      try {
        await connection.rows(sql`select 1`)
      } catch {
        throw error
      }
      log.error({ err: error, ...(await about()) }, sentence)
      return otherwise
    }
  }
