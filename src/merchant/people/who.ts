import { sql, type SQL } from 'drizzle-orm'
import { column, columnOrNull, type PayloadTable, type Row } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'

/** The row of an account. */
export type Account = Row & { id: DocumentId }

/** What finds everything of a person. */
export interface Who {
  /** Undefined for a guest. */
  account: Account | undefined
  /** As they were typed. */
  emails: readonly string[]
  /** E.164. */
  phoneNumbers: readonly string[]
  /** The keys of the profiles of sends. */
  profiles: readonly string[]
  /** What the orders of deleted accounts of the person note. */
  formerNotes: readonly string[]
}

interface Owned {
  table: PayloadTable
  /** The path of the customer. */
  customer: string
  /** What finds a guest's, each by an index. */
  ofGuests: readonly SQL[]
}

/** Finds documents of a person by the account, or as a guest's: what another account bought is not the person's. */
export function idsOfPerson({ account }: Who, { table, customer: path, ofGuests }: Owned): SQL {
  const customer = columnOrNull(table, path)
  const conditions = [
    ...(account === undefined ? [] : [sql`${customer} = ${account.id}`]),
    // Written so that the index of what finds them is used, and not that of the customer, which nearly all guests share.
    ...ofGuests.map((condition) => sql`(${customer} is null) is true and ${condition}`),
    ...(account === undefined && ofGuests.length === 0 ? [sql`false`] : []),
  ]
  return sql.join(
    conditions.map((each) => sql`select ${column(table, 'id')} from ${table} where ${each}`),
    sql` union `,
  )
}
