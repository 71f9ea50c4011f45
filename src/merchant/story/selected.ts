import { sql, type SQL } from 'drizzle-orm'

/** Columns and expressions to select, by their names in the result. */
export const selected = (columns: Readonly<Record<string, unknown>>): SQL =>
  sql.join(
    Object.entries(columns).map(([name, of]) => sql`${of} as ${sql.identifier(name)}`),
    sql`, `,
  )

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
