import type { Payload } from 'payload'

export type SqlValue = string | number | boolean | null

export type BulkRow = Record<string, SqlValue>

/** Rows for one table; keys are the column keys of Payload's schema. */
export interface BulkRows {
  table: BulkTable
  rows: BulkRow[]
}

/** A table of Payload's schema with the columns that it really has. */
export interface BulkTable {
  name: string
  /** By key, such as `shippingAddress_city`; the value is the name in the database. */
  columns: Map<string, string>
}

/** Multi-row inserts below Payload's document pipeline: no hooks, no validation, no access rules. */
export interface BulkDatabase {
  /** The table, if this store has it. */
  table(name: string): BulkTable | undefined
  rows(sql: string): Promise<Record<string, unknown>[]>
  /** Inserts everything or nothing. */
  insert(parts: BulkRows[]): Promise<void>
  /** `count` ids that nobody else gets; undefined where ids are UUIDs. */
  reserveIds(table: BulkTable, count: number): Promise<number | undefined>
  /** Runs work that writes much with settings that suit it, and puts them back afterwards. */
  whileWritingMuch<Result>(work: () => Promise<Result>): Promise<Result>
}

interface Statement {
  sql: string
  args: SqlValue[]
}

interface SqliteAdapter {
  client: {
    batch(statements: Statement[], mode: 'write'): Promise<unknown>
    execute(sql: string): Promise<{ rows: Record<string, unknown>[] }>
  }
}

interface PostgresConnection {
  query(sql: string, values?: SqlValue[]): Promise<{ rows: Record<string, unknown>[] }>
}

interface PostgresAdapter {
  pool: PostgresConnection & {
    connect(): Promise<PostgresConnection & { release(): void }>
  }
}

// SQLite takes 32,766 parameters in one statement.
const parametersPerStatement = 30_000

// Indexes of a million orders fit; SQLite's own 2 MiB make it read from disk all the time.
const cacheKibibytes = 192 * 1024

/** @throws {TypeError} when the store is neither on SQLite nor on PostgreSQL. */
export function bulkDatabase(payload: Payload): BulkDatabase {
  const adapter = payload.db as unknown as { tables: Record<string, object> }
  const table = (name: string) => tableOf(adapter.tables[name])
  const hasNumericIds = payload.db.defaultIDType === 'number'
  if (payload.db.name === 'sqlite') {
    return { table, ...sqlite(payload.db as unknown as SqliteAdapter, hasNumericIds) }
  }
  if (payload.db.name === 'postgres') {
    return { table, ...postgres(payload.db, hasNumericIds) }
  }
  throw new TypeError(`Bulk seeding needs SQLite or PostgreSQL, not "${payload.db.name}"`)
}

function tableOf(table: object | undefined): BulkTable | undefined {
  if (!table) return undefined
  const columns = new Map<string, string>()
  for (const [key, column] of Object.entries<unknown>(table as Record<string, unknown>)) {
    const isColumn = typeof column === 'object' && column !== null && 'columnType' in column
    if (isColumn && 'name' in column) columns.set(key, String(column.name))
  }
  const name: unknown = Reflect.get(table, Symbol.for('drizzle:Name'))
  const schema: unknown = Reflect.get(table, Symbol.for('drizzle:Schema'))
  return { name: schema ? `${String(schema)}"."${String(name)}` : String(name), columns }
}

function sqlite(adapter: SqliteAdapter, hasNumericIds: boolean): Omit<BulkDatabase, 'table'> {
  const rows = async (sql: string) => (await adapter.client.execute(sql)).rows
  return {
    rows,
    async insert(parts) {
      await adapter.client.batch(valuesStatements(parts), 'write')
    },
    async reserveIds(table) {
      if (!hasNumericIds) return undefined
      const [row] = await rows(`select coalesce(max("id"), 0) as "last" from "${table.name}"`)
      return Number(row?.last) + 1
    },
    async whileWritingMuch(work) {
      const [before] = await rows('pragma cache_size')
      await rows(`pragma cache_size = ${-cacheKibibytes}`)
      try {
        return await work()
      } finally {
        await rows(`pragma cache_size = ${Number(before?.cache_size)}`)
      }
    },
  }
}

function postgres({ pool }: PostgresAdapter, hasNumericIds: boolean): Omit<BulkDatabase, 'table'> {
  return {
    rows: async (sql) => (await pool.query(sql)).rows,
    async insert(parts) {
      const connection = await pool.connect()
      try {
        await connection.query('begin')
        await connection.query('set local synchronous_commit = off')
        for (const { args, sql } of parts.map(jsonStatement)) await connection.query(sql, args)
        await connection.query('commit')
      } catch (error) {
        await connection.query('rollback')
        throw error
      } finally {
        connection.release()
      }
    },
    async reserveIds(table, count) {
      if (!hasNumericIds) return undefined
      const sequence = `pg_get_serial_sequence('"${table.name}"', 'id')`
      const { rows } = await pool.query(
        `select setval(${sequence}, nextval(${sequence}) + ${count} - 1) as "last"`,
      )
      return Number(rows[0]?.last) - count + 1
    },
    whileWritingMuch: (work) => work(),
  }
}

/** `insert … values (?, ?), (?, ?)`, as many rows as one statement may have parameters for. */
function valuesStatements(parts: BulkRows[]): Statement[] {
  return parts.flatMap(({ rows, table }) => {
    const keys = keysOf(rows, table)
    const rowsPerStatement = Math.floor(parametersPerStatement / keys.length)
    const statements: Statement[] = []
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      const some = rows.slice(start, start + rowsPerStatement)
      const tuple = `(${keys.map(() => '?').join(', ')})`
      statements.push({
        sql: `${insertInto(table, keys)} values ${Array(some.length).fill(tuple).join(', ')}`,
        args: some.flatMap((row) => keys.map((key) => row[key] ?? null)),
      })
    }
    return statements
  })
}

/** All rows as one JSON parameter: PostgreSQL reads that faster than thousands of parameters. */
function jsonStatement({ rows, table }: BulkRows): Statement {
  const keys = keysOf(rows, table)
  const named = rows.map((row) =>
    Object.fromEntries(keys.map((key) => [table.columns.get(key) ?? key, row[key]])),
  )
  return {
    sql: `${insertInto(table, keys)} select ${columnList(table, keys)} from json_populate_recordset(null::"${table.name}", $1::json)`,
    args: [JSON.stringify(named)],
  }
}

/** The columns that the rows have a value for and the table has a place for. */
const keysOf = (rows: BulkRow[], table: BulkTable): string[] =>
  Object.keys(rows[0] ?? {}).filter((key) => table.columns.has(key))

const columnList = (table: BulkTable, keys: string[]): string =>
  keys.map((key) => `"${table.columns.get(key)}"`).join(', ')

const insertInto = (table: BulkTable, keys: string[]): string =>
  `insert into "${table.name}" (${columnList(table, keys)})`
