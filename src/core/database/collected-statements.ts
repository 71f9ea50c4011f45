import { sql, type SQL, type Table } from 'drizzle-orm'
import type { BasePayload } from 'payload'
import type { Effects } from '../effects.js'
import { bareName, column, type PayloadTable, type Row, type Statement } from './database.js'

/** What the SQLite adapter of Payload runs its statements by when it creates something. */
interface CreatingAdapter {
  tables: Record<string, PayloadTable>
  insert: (insertion: Insertion) => Promise<Row[]>
  execute: (statement: { db: Connection; sql: SQL }) => Promise<unknown>
}

interface Insertion {
  db: Connection
  tableName: string
  values: Row | Row[]
}

interface Connection {
  insert: (table: Table) => { values: (rows: Row[]) => Statement }
  run: (query: SQL) => Statement
}

/**
 * The statements by which Payload creates documents on SQLite, not yet run. A row that refers to a new one finds
 * it as the newest.
 */
export async function collectedStatements(
  { db: adapter }: BasePayload,
  { randomBytes }: Effects,
  create: (collecting: BasePayload['db']) => Promise<unknown>,
): Promise<Statement[]> {
  const { tables } = adapter as unknown as CreatingAdapter
  const statements: Statement[] = []
  const newIds = new Map<unknown, SQL>()

  const insert: CreatingAdapter['insert'] = ({ db, tableName, values }) => {
    const table = tables[tableName]
    if (table === undefined) throw new TypeError(`The database has no table "${tableName}".`)
    const rows = [values].flat().map((row): Row => {
      const entries = Object.entries(row).map(([key, value]) => [key, newIds.get(value) ?? value])
      return { ...ownId(table), ...(Object.fromEntries(entries) as Row) }
    })
    statements.push(db.insert(table).values(rows))
    const inserted = rows.map((row) => {
      if (row.id !== undefined) return row
      const id = Buffer.from(randomBytes(16)).toString('hex')
      newIds.set(id, newestId(table, row))
      return { ...row, id }
    })
    return Promise.resolve(inserted)
  }
  const execute: CreatingAdapter['execute'] = ({ db, sql: statement }) => {
    statements.push(db.run(statement))
    return Promise.resolve()
  }
  await create(
    Object.create(adapter, {
      insert: { value: insert },
      execute: { value: execute },
    }) as typeof adapter,
  )
  return statements
}

/** A store may have uuids as ids, which the database does not make. */
function ownId(table: PayloadTable): Row {
  const id = table.id?.defaultFn?.()
  return id === undefined ? {} : { id }
}

/** Rows of arrays and blocks have a key of their own, which stays the same in all versions. */
const newestId = (table: PayloadTable, { _uuid: key }: Row): SQL =>
  sql`(select max(${bareName(column(table, 'id'))}) from ${table}
    where ${key === undefined ? sql`true` : sql`${bareName(column(table, '_uuid'))} = ${key}`})`
