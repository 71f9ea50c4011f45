import { sql, type SQL } from 'drizzle-orm'
import {
  column,
  optionalColumn,
  type Database,
  type PayloadTable,
} from '../core/database/database.js'
import type { ShopNames } from '../core/shop-names.js'
import type { CartSchema } from './cart-documents.js'

/** The rows of the lines of carts; undefined where the store keeps them in another way. */
export const lineTable = (
  database: Database,
  { collections, fields }: ShopNames,
): PayloadTable | undefined => database.optionalTable(collections.carts, ...fields.items.split('.'))

/** Whether a row names a product, or a variant, that is published and neither deleted nor in the trash. */
export function canBeBought(
  database: Database,
  lines: PayloadTable,
  { productsSlug, variantsSlug }: CartSchema,
): SQL {
  const isThere = (slug: string, name: string) => {
    const table = database.table(slug)
    const [status, deletedAt] = ['_status', 'deletedAt'].map((each) => optionalColumn(table, each))
    return sql`exists (select 1 from ${table} where ${column(table, 'id')} = ${column(lines, name)}
      and ${status ? sql`${status} = 'published'` : sql`true`}
      and ${deletedAt ? sql`${deletedAt} is null` : sql`true`})`
  }
  const product = isThere(productsSlug, 'product')
  if (variantsSlug === undefined) return product
  return sql`(${product} and (${column(lines, 'variant')} is null or ${isThere(variantsSlug, 'variant')}))`
}
