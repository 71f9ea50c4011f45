import { getTableColumns, sql, type Column, type SQL } from 'drizzle-orm'
import { bareName, type PayloadTable } from '../../src/core/database/database.js'

/** `"n"."i"` from 1 on, to copy a row so often. */
export const numbersUpTo = (count: number): SQL => sql`with recursive "n"("i") as (
  select 1 union all select "i" + 1 from "n" where "i" < ${count})`

/** The columns of a row, and what they are in its copy. Numbers of rows come by themselves. */
export function copiedRows(table: PayloadTable, changes: Record<string, SQL>, select: SQL): SQL {
  const columns = Object.entries<Column>(getTableColumns(table)).filter(
    ([name, { dataType }]) => name !== 'id' || dataType === 'string',
  )
  const names = columns.map(([, of]) => bareName(of))
  const values = columns.map(([name, of]) => changes[name] ?? sql`${of}`)
  return sql`(${sql.join(names, sql`, `)}) ${select} ${sql.join(values, sql`, `)}`
}
