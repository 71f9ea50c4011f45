import { sql, type Column, type SQL } from 'drizzle-orm'
import type { Database } from './database.js'

/** The values of one row as the database gives them, and where each stands among them. */
export type Values = readonly unknown[]
export type Positions = Readonly<Record<string, number>>

/** Rows with lists in them as one JSON text each: a hundred values cost the driver as much as one. */
export interface JsonDialect {
  array: (values: readonly (Column | SQL)[]) => SQL
  /** The elements as one list, ordered. */
  list: (element: SQL, order: Column) => SQL
  parse: (value: unknown) => Values
}

export const jsonDialect = ({ isSqlite }: Pick<Database, 'isSqlite'>): JsonDialect =>
  isSqlite ? sqliteJson : postgresJson

const commaSeparated = (values: readonly (Column | SQL)[]) => sql.join([...values], sql`, `)

const sqliteJson: JsonDialect = {
  array: (values) => sql`json_array(${commaSeparated(values)})`,
  list: (element, order) => sql`json_group_array(json(${element}) order by ${order})`,
  parse: (value) => JSON.parse(String(value)) as Values,
}

const postgresJson: JsonDialect = {
  array: (values) => sql`json_build_array(${commaSeparated(values)})`,
  list: (element, order) => sql`coalesce(json_agg(${element} order by ${order}), '[]'::json)`,
  // The driver has parsed the column already.
  parse: (value) => value as Values,
}

export const positions = (names: readonly string[]): Positions =>
  Object.fromEntries(names.map((name, index) => [name, index]))
