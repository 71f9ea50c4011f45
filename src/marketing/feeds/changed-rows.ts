import { sql, type Column, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../../core/database/document-id.js'
import { column, type Database, type PayloadTable } from '../../core/database/database.js'
import { noteInDocument } from '../../core/database/document-tables.js'

/** The document after which a page begins. Documents are ordered by moment, then by id. */
export interface Position {
  at: Date
  /** Undefined: the page begins after all documents of that moment. */
  id: DocumentId | undefined
}

export interface Changed extends Position {
  id: DocumentId
}

/** Reads the rows after a position, the oldest first: those up to `until`, and those later than `now`. */
export async function changedRows(
  database: Database,
  { table, at, condition = sql`true` }: { table: PayloadTable; at: Column; condition?: SQL },
  { from, until, now, limit }: { from: Position; until: Date; now?: Date; limit: number },
): Promise<Changed[]> {
  const id = column(table, 'id')
  const moment = from.at.toISOString()
  const isAfter =
    from.id === undefined
      ? sql`${at} > ${moment}`
      : sql`${at} >= ${moment} and (${at} > ${moment} or ${id} > ${from.id})`
  const isLater = now ? sql`or ${at} > ${now.toISOString()}` : sql``
  const rows = await database.rows(sql`select ${id} as "id", ${at} as "at" from ${table}
    where ${isAfter} and (${at} <= ${until.toISOString()} ${isLater}) and ${condition}
    order by ${at}, ${id} limit ${limit}`)
  return rows.map((row) => ({ at: new Date(String(row.at)), id: row.id as DocumentId }))
}

/** Writes a state to each of these documents. `updatedAt` stays, so that no feed takes it for a change. */
export async function noteStates(
  database: Database,
  { slug, field }: { slug: string; field: string },
  states: ReadonlyMap<DocumentId, string>,
): Promise<void> {
  for (const [id, state] of states) {
    await noteInDocument(database, { slug, id, values: { [field]: state } })
  }
}
