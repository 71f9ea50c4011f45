import { sql } from 'drizzle-orm'
import { column, type Database } from '../../core/database/database.js'

export const catalogSlug = 'marketing-catalog'

/** Finds those of some variants that Klaviyo's catalog is known to have. */
export function createKnownVariants(database: Database) {
  const catalog = database.table(catalogSlug)
  const [id, entryId, known] = [
    column(catalog, 'id'),
    column(catalog, 'entryId'),
    column(catalog, 'known'),
  ]
  return async (variants: readonly string[]): Promise<ReadonlySet<string>> => {
    const keys = variants.map((variant) => `variant:${variant}`)
    const rows = await database.rows(sql`select ${entryId} as "variant" from ${catalog}
      where ${database.isOneOf(id, keys)} and ${known} is not null`)
    return new Set(rows.map(({ variant }) => String(variant)))
  }
}
