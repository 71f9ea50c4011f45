import { sql, type SQL } from 'drizzle-orm'
import { column, optionalColumn, type Database, type PayloadTable } from './database.js'

/**
 * Whether a document is a `draft` or `published`, as SQL: published, where it is so in one of the languages that have a
 * status each. Undefined where the collection has no drafts.
 */
export function publicationStatus(database: Database, table: PayloadTable): SQL | undefined {
  const own = optionalColumn(table, '_status')
  if (own) return sql`${own}`
  const languages = database.languagesOf(table)
  const each = languages && optionalColumn(languages, '_status')
  if (!languages || !each) return undefined
  // By name, `published` is the greater one.
  return sql`(select max(${each}) from ${languages}
    where ${column(languages, '_parentID')} = ${column(table, 'id')})`
}
