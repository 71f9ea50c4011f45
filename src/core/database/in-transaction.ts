import { sql } from 'drizzle-orm'
import {
  commitTransaction,
  initTransaction,
  killTransaction,
  type PayloadRequest,
  isolateObjectProperty,
} from 'payload'
import { type Connection, type Database, type Statement, column } from './database.js'
import type { DocumentId } from './document-id.js'

/**
 * A copy of the request whose failures roll nothing back: Payload leaves a transaction alone while
 * `transactionID` is a promise.
 */
export function detachedRequest(req: PayloadRequest): PayloadRequest {
  const own = isolateObjectProperty(req, ['transactionID', 'payloadDataLoader'])
  own.transactionID = Promise.resolve(req.transactionID ?? '')
  // The original loader would read with the original request.
  Reflect.deleteProperty(own, 'payloadDataLoader')
  // Payload's loader of related documents sets the id from a JSON text, in which the promise is lost: what
  // follows would then wait for the transaction from outside.
  return new Proxy(own, {
    set: (target, name, value) => name === 'transactionID' || Reflect.set(target, name, value),
  })
}

/**
 * Runs work in its own transaction, all or nothing. Payload opens no transaction on SQLite unless the
 * store sets `transactionOptions`, nor where the store has switched transactions off; the work then
 * runs without one. The work must use the request that it receives: a failure with that request, for
 * example in a hook of the store, can be handled and rolls nothing back.
 *
 * @throws what the work throws, or an Error when the transaction was not committed.
 */
export async function inTransaction<Result>(
  database: Database,
  req: PayloadRequest,
  work: (own: PayloadRequest, isBegun: boolean) => Promise<Result>,
): Promise<Result> {
  if (await req.transactionID) return work(req, false)
  return database.inTurn(async () => {
    if (!(await initTransaction(req))) return work(req, false)
    try {
      const result = await work(detachedRequest(req), true)
      await commit(database, req)
      return result
    } catch (error) {
      await killTransaction(req)
      throw error
    }
  })
}

/** Runs statements in the transaction of the request, or else, on SQLite, as one. */
export async function runTogether(
  database: Database,
  req: PayloadRequest,
  make: (connection: Connection) => Statement[],
): Promise<void> {
  if (database.isSqlite && !(await database.isWithin(req))) {
    await database.batch(make(database))
    return
  }
  const connection = await database.within(req)
  for (const statement of make(connection)) await statement
}

/** Payload does not report a commit that fails, so we commit on SQLite ourselves, and ask PostgreSQL for the status. */
async function commit(database: Database, req: PayloadRequest): Promise<void> {
  if (!(await database.isWithin(req))) throw new Error('The transaction was rolled back')
  const connection = await database.within(req)
  if (database.isSqlite) {
    await connection.run(sql`commit`)
    await commitTransaction(req)
    return
  }
  const id = await transactionId(connection)
  await commitTransaction(req)
  if (id === undefined) return
  const [row] = await database.rows(sql`select pg_xact_status(${id}::xid8) as "status"`)
  if (row?.status !== 'committed') throw new Error('The transaction was not committed')
}

/** Undefined when nothing was written. */
async function transactionId(connection: Connection): Promise<string | undefined> {
  const [row] = await connection.rows(sql`select pg_current_xact_id_if_assigned()::text as "id"`)
  return typeof row?.id === 'string' ? row.id : undefined
}

/** Locks a document until the request's transaction ends, on databases that can lock rows. */
export async function lockRow(
  database: Database,
  { slug, id, req }: { slug: string; id: DocumentId; req: PayloadRequest },
): Promise<void> {
  if (database.isSqlite) return
  const table = database.table(slug)
  const connection = await database.within(req)
  await connection.rows(sql`select 1 from ${table} where ${column(table, 'id')} = ${id} for update`)
}
