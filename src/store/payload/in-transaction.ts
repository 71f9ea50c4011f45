import { sql } from 'drizzle-orm'
import { commitTransaction, initTransaction, killTransaction, type PayloadRequest } from 'payload'
import type { Database } from './database.js'
import { keptOpen } from './kept-open.js'

/**
 * Runs work in a transaction of its own, all or nothing; without one where Payload makes none (SQLite,
 * unless the store sets `transactionOptions`, and a store that has switched them off). The work gets
 * the request to go on with: what fails that is asked with it, by a hook of the store for one, may be
 * borne, and rolls nothing back.
 *
 * @throws what the work throws, or an Error when the transaction was not committed.
 */
export async function inTransaction<Result>(
  database: Database,
  req: PayloadRequest,
  work: (own: PayloadRequest, isBegun: boolean) => Promise<Result>,
): Promise<Result> {
  if (!(await initTransaction(req))) return work(req, false)
  try {
    const result = await work(keptOpen(req), true)
    await commit(database, req)
    return result
  } catch (error) {
    await killTransaction(req)
    throw error
  }
}

/**
 * Payload says nothing of a commit that fails, be it by a connection that is lost or a constraint that
 * is checked at the end, so PostgreSQL is asked what became of it.
 */
async function commit(database: Database, req: PayloadRequest): Promise<void> {
  if (!(await database.isWithin(req))) throw new Error('The transaction was rolled back')
  const id = database.isSqlite ? undefined : await transactionId(database, req)
  await commitTransaction(req)
  if (id === undefined) return
  const [row] = await database.rows(sql`select pg_xact_status(${id}::xid8) as "status"`)
  if (row?.status !== 'committed') throw new Error('The transaction was not committed')
}

/** Undefined when nothing was written. */
async function transactionId(database: Database, req: PayloadRequest): Promise<string | undefined> {
  const connection = await database.within(req)
  const [row] = await connection.rows(sql`select pg_current_xact_id_if_assigned()::text as "id"`)
  return typeof row?.id === 'string' ? row.id : undefined
}
