import { sql } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import { column, type Database } from './database.js'
import type { DocumentId } from './document-id.js'

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
