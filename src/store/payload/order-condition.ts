import { sql, type SQL } from 'drizzle-orm'
import type { OrderSelection } from '../order-list.js'
import { column, optionalColumn, type PayloadTable } from './database.js'

/** Which rows of the orders table a selection means: no drafts, and nothing in the trash. */
export function orderCondition(
  orders: PayloadTable,
  { window, store }: Pick<OrderSelection, 'window' | 'store'>,
): SQL {
  const updatedAt = column(orders, 'updatedAt')
  const deletedAt = optionalColumn(orders, 'deletedAt')
  const draftStatus = optionalColumn(orders, '_status')
  const conditions = [
    sql`true`,
    ...(window
      ? [
          sql`${updatedAt} > ${window.after.toISOString()}`,
          sql`${updatedAt} < ${window.before.toISOString()}`,
        ]
      : []),
    // As text: PostgreSQL refuses a value that a dropdown's enum does not have.
    ...(store ? [sql`cast(${column(orders, store.field)} as text) = ${store.value}`] : []),
    ...(deletedAt ? [sql`${deletedAt} is null`] : []),
    ...(draftStatus ? [sql`${draftStatus} = 'published'`] : []),
  ]
  return sql.join(conditions, sql` and `)
}
