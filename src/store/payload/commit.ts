import { sql } from 'drizzle-orm'
import { commitTransaction, type PayloadRequest } from 'payload'
import type { Database } from './database.js'

/**
 * Commits the request's transaction. Payload says nothing of a commit that fails, be it by a connection
 * that is lost or a constraint that is checked at the end, so PostgreSQL is asked what became of it.
 *
 * @throws {Error} when it was rolled back, or nobody can say.
 */
export async function commit(database: Database, req: PayloadRequest): Promise<void> {
  // Payload rolls it back when anything fails that was asked with this very request.
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
