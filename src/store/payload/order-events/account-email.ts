import { sql, type SQL } from 'drizzle-orm'
import { column, optionalColumn, type PayloadTable } from '../database.js'

/** The email of an account; null where it is to be verified and is not yet. */
export function accountEmail(customers: PayloadTable | undefined, id: SQL): SQL {
  const email = customers && optionalColumn(customers, 'email')
  if (!customers || !email) return sql`null`
  const verified = optionalColumn(customers, '_verified')
  const isKnown = verified ? sql`${verified} is true` : sql`true`
  return sql`(select ${email} from ${customers}
    where ${column(customers, 'id')} = ${id} and ${isKnown})`
}
