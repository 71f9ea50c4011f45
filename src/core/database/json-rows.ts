import { sql, type SQL, type Column } from 'drizzle-orm'
import { quoted, type Database, type Row } from './database.js'

/** The values of one row, as the database returns them. */
export type Values = readonly unknown[]

/** Rows as JSON texts: a driver takes as long for a hundred values as for one. */
export interface JsonDialect {
  array: (values: readonly (Column | SQL)[]) => SQL
  /** The elements of some rows (a table, and which of them) as one ordered list. */
  list: (element: SQL, rows: SQL, order: Column) => SQL
  parse: (value: unknown) => Values
}

export const jsonDialect = ({ isSqlite }: Pick<Database, 'isSqlite'>): JsonDialect =>
  isSqlite ? sqliteJson : postgresJson

const commaSeparated = (values: readonly (Column | SQL)[]) => sql.join([...values], sql`, `)

const sqliteJson: JsonDialect = {
  array: (values) => sql`json_array(${commaSeparated(values)})`,
  // SQLite's aggregate keeps the order of its subquery. An order of its own is an error on the server of libSQL.
  list: (element, rows, order) => sql`(select json_group_array(json("element"))
    from (select ${element} as "element" from ${rows} order by ${order}))`,
  parse: (value) => JSON.parse(String(value)) as Values,
}

const postgresJson: JsonDialect = {
  array: (values) => sql`json_build_array(${commaSeparated(values)})`,
  list: (element, rows, order) =>
    sql`(select coalesce(json_agg(${element} order by ${order}), '[]'::json) from ${rows})`,
  // The driver has already parsed the column.
  parse: (value) => value as Values,
}

/** Fills the object in a loop: a page of an export has thousands, and `Object.fromEntries` takes long. */
export function namedValues(names: readonly string[], values: Values): Row {
  const row: Row = {}
  names.forEach((name, index) => {
    row[name] = values[index]
  })
  return row
}

/** PostgreSQL's type of each column. On SQLite `jsonb` is JSON, and any other type is that of the JSON value. */
export type JsonShape = Readonly<Record<string, string>>

/** A table expression made of rows. All rows share one parameter. Missing values are null. */
export function jsonRows(database: Database, shape: JsonShape, rows: readonly Row[]): SQL {
  const json = storableJson(JSON.stringify(rows))
  const columns = Object.entries(shape)
  if (!database.isSqlite) {
    const typed = columns.map(([name, type]) => `${quoted(name)} ${type}`)
    return sql`(select * from jsonb_to_recordset(${json}::jsonb) as "rows"(${sql.raw(typed.join(', '))}))`
  }
  const values = columns.map(([name, type]) => {
    const arrow = type === 'jsonb' ? '->' : '->>'
    return `value ${arrow} '$."${name}"' as ${quoted(name)}`
  })
  return sql`(select ${sql.raw(values.join(', '))} from json_each(${json}))`
}

/** Reads rows in no order. SQLite returns one JSON text, as its driver is much slower at thousands of rows. */
export async function manyRows(
  database: Database,
  query: SQL,
  names: readonly string[],
): Promise<Row[]> {
  if (!database.isSqlite) return database.rows(query)
  const pairs = names.map((name) => `'${name}', ${quoted(name)}`)
  const object = sql.raw(`json_object(${pairs.join(', ')})`)
  const [row] = await database.rows(
    sql`select json_group_array(${object}) as "rows" from (${query})`,
  )
  return JSON.parse(String(row?.rows)) as Row[]
}

/** Removes what PostgreSQL accepts in no text: the character with code 0 and half surrogate pairs. */
const storableJson = (json: string): string =>
  json.replaceAll(
    /(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][\da-f]{2})/g,
    (_, before: string, code: string) => before + (code === '0000' ? '' : '\ufffd'),
  )

/** The parsed value of a JSON column. SQLite returns it as text. */
export const parsedJson = (value: unknown): unknown =>
  typeof value === 'string' ? JSON.parse(value) : value
