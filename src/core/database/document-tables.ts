import { sql, type SQL } from 'drizzle-orm'
import { column, type Connection, type Database, type PayloadTable, type Row } from './database.js'
import type { DocumentId } from './document-id.js'

/** A table with the documents of a collection, or with their versions. */
export interface DocumentTable {
  table: PayloadTable
  /** What the names of the tables below it begin with. */
  slug: string
  /** The key of the column with the document's id. */
  id: string
  /** The keys of the columns that hold fields begin with it. */
  prefix: string
}

/** The tables with the documents of a collection and with their versions, one of which may be restored. */
export const documentTables = (database: Database, slug: string): DocumentTable[] =>
  [
    { slug, id: 'id', prefix: '' },
    { slug: `_${slug}_v`, id: 'parent', prefix: 'version_' },
  ].flatMap((one) => {
    const table = database.optionalTable(one.slug)
    return table ? [{ ...one, table }] : []
  })

interface Note {
  slug: string
  id: DocumentId
  /** By the keys of their columns. */
  values: Row
  condition?: SQL
}

/**
 * Writes into a document beside its saves, and into its versions, as the next save of a draft goes on from the
 * newest one.
 */
export async function noteInDocument(
  database: Database,
  { slug, id, values, condition = sql`true` }: Note,
  connection: Connection = database,
): Promise<void> {
  for (const { table, id: key, prefix } of documentTables(database, slug)) {
    const noted = Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value])
    const isDocument = sql`${column(table, key)} = ${id} and ${condition}`
    await connection.update(table, Object.fromEntries(noted) as Row, isDocument)
  }
}
