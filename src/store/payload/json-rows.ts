import { sql, type SQL } from 'drizzle-orm'
import type { Database, Row } from './database.js'

/** PostgreSQL's type of each column. SQLite has JSON for `jsonb`, and for any other what the JSON has. */
export type JsonShape = Readonly<Record<string, string>>

/**
 * Rows as a table to select from: one parameter, however many there are. What a row lacks is null.
 */
export function jsonRows(database: Database, shape: JsonShape, rows: readonly Row[]): SQL {
  const json = storableJson(JSON.stringify(rows))
  const columns = Object.entries(shape)
  if (!database.isSqlite) {
    const typed = columns.map(([name, type]) => sql`${sql.identifier(name)} ${sql.raw(type)}`)
    return sql`(select * from jsonb_to_recordset(${json}::jsonb) as "rows"(${sql.join(typed, sql`, `)}))`
  }
  const values = columns.map(([name, type]) => {
    const arrow = sql.raw(type === 'jsonb' ? '->' : '->>')
    return sql`value ${arrow} ${sql.raw(`'$."${name}"'`)} as ${sql.identifier(name)}`
  })
  return sql`(select ${sql.join(values, sql`, `)} from json_each(${json}))`
}

/**
 * The rows of a query for thousands of them, in no order. SQLite gives them as one JSON text, which
 * costs its driver a fraction of as many rows.
 */
export async function manyRows(
  database: Database,
  query: SQL,
  names: readonly string[],
): Promise<Row[]> {
  if (!database.isSqlite) return database.rows(query)
  const pairs = names.map((name) => sql`${sql.raw(`'${name}'`)}, ${sql.identifier(name)}`)
  const object = sql`json_object(${sql.join(pairs, sql`, `)})`
  const [row] = await database.rows(
    sql`select json_group_array(${object}) as "rows" from (${query})`,
  )
  return JSON.parse(String(row?.rows)) as Row[]
}

/**
 * Without what PostgreSQL takes in no text: the character of code 0 goes, and half of a surrogate
 * pair becomes the character that stands for an unreadable one.
 */
const storableJson = (json: string): string =>
  json.replaceAll(
    /(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][\da-f]{2})/g,
    (_, before: string, code: string) => before + (code === '0000' ? '' : '\ufffd'),
  )

/** The value of a JSON column: SQLite gives the text. */
export const parsedJson = (value: unknown): unknown =>
  typeof value === 'string' ? JSON.parse(value) : value
