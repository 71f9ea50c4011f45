import { Column, getTableName, is, sql, type SQL, type Table } from 'drizzle-orm'
import type { BasePayload, PayloadRequest } from 'payload'
import { Problem } from '../errors.js'
import { refusalIn } from './refusal.js'
import { lazy } from './cached-value.js'
import { createGate } from './turns.js'

/** A table of Payload's own Drizzle schema. A column's key is its field path, joined with `_`. */
export type PayloadTable = Table & Partial<Record<string, Column>>

export type Row = Record<string, unknown>

/** The moment in a column; undefined when it has none. */
export const momentOf = (value: unknown): Date | undefined =>
  value === null || value === undefined ? undefined : new Date(String(value))

/** Columns and expressions to select, by their names in the result. */
export const selected = (columns: Readonly<Record<string, unknown>>): SQL =>
  sql.join(
    Object.entries(columns).map(([name, of]) => sql`${of} as ${sql.identifier(name)}`),
    sql`, `,
  )

/** A statement that runs when it is awaited, or as part of a batch. */
export type Statement = PromiseLike<unknown>

/** A statement that can return its SQL text. */
interface RawStatement extends Statement {
  getQuery(): { sql: string }
}

/** What the Drizzle instances of both adapters offer, and their transactions too. */
interface Drizzle {
  insert(table: Table): { values(rows: Row | Row[]): { onConflictDoNothing(): Statement } }
  update(table: Table): { set(values: Row): { where(condition: SQL): Statement } }
  delete(table: Table): { where(condition: SQL): Statement }
  /** SQLite only. */
  all(query: SQL): Promise<Row[]>
  /** SQLite only. */
  run(query: SQL): RawStatement
  /** SQLite only. */
  batch(statements: readonly Statement[]): Promise<{ rows?: Row[] }[]>
  /** PostgreSQL only. */
  execute(query: SQL): Promise<{ rows: Row[] }> & RawStatement
}

/** A table as Payload describes it for both databases. */
interface RawTable {
  columns: Record<string, { type: string }>
  foreignKeys?: Record<string, { columns: string[]; foreignColumns: { table: string }[] }>
}

interface DrizzleAdapter {
  name: string
  drizzle: Drizzle
  tables: Record<string, PayloadTable>
  rawTables: Record<string, RawTable>
  /** By the names of the tables and the keys of their columns. */
  rawRelations: Record<string, Record<string, unknown>>
  localesSuffix?: string
  /** Table names by the snake-case path of the collection and its fields. */
  tableNameMap: Map<string, string>
  sessions?: Record<string, { db: Drizzle }>
  /** Of PostgreSQL. */
  poolOptions?: { max?: number }
}

/** What `pg` has when nobody says how many. */
const poolSize = 10

/**
 * The SQL database below Payload's document pipeline, for the export and the outbox: hooks and access
 * rules make a full `find` cost ten times the query. What a store's own hooks must see goes through
 * Payload.
 *
 * @throws {Problem} DATABASE_NOT_SUPPORTED, HOST_NOT_SUPPORTED.
 */
export function sqlDatabase(payload: BasePayload) {
  const adapter = payload.db as unknown as DrizzleAdapter
  const refusal = refusalIn(payload)
  if (refusal !== undefined) throw new Problem(refusal.code, { message: refusal.message })
  const isSqlite = adapter.name === 'sqlite'
  const languagesSuffix = adapter.localesSuffix ?? '_locales'

  const tableBelow = (name: string, path: readonly string[]): PayloadTable | undefined => {
    const key = [name, ...path.map(snakeCase)].join('_')
    return adapter.tables[adapter.tableNameMap.get(key) ?? key]
  }

  const optionalTable = (slug: string, ...path: string[]): PayloadTable | undefined =>
    tableBelow(adapter.tableNameMap.get(snakeCase(slug)) ?? snakeCase(slug), path)

  const sessionOf = async (req: Pick<PayloadRequest, 'transactionID'>) => {
    const transaction = await req.transactionID
    return transaction === undefined ? undefined : adapter.sessions?.[transaction]
  }

  // `drizzle` is read at each use: Payload creates it when it connects, which is after this call.
  const pool = connectionTo(() => adapter.drizzle, isSqlite)

  return {
    ...pool,
    isSqlite,
    /** Runs only so many of our transactions at once that the hooks in each can have a second connection. */
    inTurn: createGate(
      isSqlite ? Infinity : Math.max(1, Math.floor((adapter.poolOptions?.max ?? poolSize) / 2)),
    ),
    /** Counts the rows of an SQL text that can follow `from`, but no more than `most`. */
    async count(from: SQL, most?: number): Promise<number> {
      const counted =
        most === undefined ? from : sql`(select 1 from ${from} limit ${most}) as "first"`
      const [row] = await pool.rows(sql`select count(*) as "count" from ${counted}`)
      return Number(row?.count)
    },
    /** True when a column's value is one of these. All values share one parameter. */
    isOneOf: (of: Column | SQL, values: readonly (number | string)[]): SQL =>
      isSqlite
        ? sql`${of} in (select value from json_each(${JSON.stringify(values)}))`
        : sql`${of} = any(${sql.param([...values])})`,
    optionalTable,
    /** The rows of a list, such as `details.coupons`, in the documents or rows of a table. */
    rowsBelow: (table: PayloadTable, path: string): PayloadTable | undefined =>
      tableBelow(getTableName(table), path.split('.')),
    /** The table with the values of a table's rows in each language. */
    languagesOf: (table: PayloadTable): PayloadTable | undefined =>
      adapter.tables[`${getTableName(table)}${languagesSuffix}`],
    /** The columns of a table, each with its type before the adapter chooses one, and whether it names a document. */
    storedColumns: (table: PayloadTable): { key: string; type: string; isRelation: boolean }[] =>
      Object.entries(adapter.rawTables[getTableName(table)]?.columns ?? {}).map(
        ([key, { type }]) => ({
          key,
          type,
          isRelation: adapter.rawRelations[getTableName(table)]?.[key] !== undefined,
        }),
      ),
    /** The tables of the arrays and blocks directly below a table, and that of its languages. */
    tablesBelow(table: PayloadTable): { table: PayloadTable; isLanguages: boolean }[] {
      const name = getTableName(table)
      return Object.entries(adapter.rawTables).flatMap(([childName, { foreignKeys = {} }]) => {
        const isBelow = Object.values(foreignKeys).some(
          ({ columns, foreignColumns }) =>
            columns[0] === '_parentID' && foreignColumns[0]?.table === name,
        )
        const child = isBelow ? adapter.tables[childName] : undefined
        const isLanguages = childName === `${name}${languagesSuffix}`
        return child ? [{ table: child, isLanguages }] : []
      })
    },
    /**
     * Builds the text of a large constant part once, as Drizzle takes longer to build it than the database to run
     * it.
     */
    fixed: (part: SQL): (() => SQL) =>
      lazy(() => {
        const { drizzle } = adapter
        const whole = part.inlineParams()
        return sql.raw((isSqlite ? drizzle.run(whole) : drizzle.execute(whole)).getQuery().sql)
      }),
    /**
     * The table of a collection, such as `table('orders')`, or of something below it: an array
     * (`table('orders', 'items')`), a block (`blocks`, then its slug) or the relations (`rels`).
     *
     * @throws {TypeError} when the schema has no such table.
     */
    table(slug: string, ...path: string[]): PayloadTable {
      const table = optionalTable(slug, ...path)
      if (table === undefined) {
        throw new TypeError(`The database has no table for "${[slug, ...path].join('.')}".`)
      }
      return table
    },
    /** The connection of the request's transaction; the pool when the request has none. */
    async within(req: PayloadRequest): Promise<Connection> {
      const session = await sessionOf(req)
      return connectionTo(() => session?.db ?? adapter.drizzle, isSqlite)
    },
    /** Whether the request's transaction is still open. */
    isWithin: async (req: Pick<PayloadRequest, 'transactionID'>): Promise<boolean> =>
      (await sessionOf(req)) !== undefined,
    /**
     * SQLite only: runs statements as one BEGIN…COMMIT on Payload's own connection, all or nothing.
     * Resolves to the rows of each statement. The first must be one that writes: SQLite cannot turn a
     * reading transaction into a writing one while another process writes.
     */
    async batch(statements: readonly Statement[]): Promise<Row[][]> {
      const results = await adapter.drizzle.batch(statements)
      return results.map(({ rows }) => rows ?? [])
    },
  }
}

export type Database = ReturnType<typeof sqlDatabase>

/** Where statements run: the pool, or the transaction of a request. */
const connectionTo = (drizzle: () => Drizzle, isSqlite: boolean) => ({
  async rows(query: SQL): Promise<Row[]> {
    try {
      return await (isSqlite ? drizzle().all(query) : (await drizzle().execute(query)).rows)
    } catch (error) {
      throw withoutParameters(error)
    }
  },
  run: (query: SQL): Statement => (isSqlite ? drizzle().run(query) : drizzle().execute(query)),
  /** Rows use the column keys of Payload's schema. A row that violates a unique index is skipped. */
  insertIgnoring: (table: Table, rows: Row | Row[]): Statement =>
    drizzle().insert(table).values(rows).onConflictDoNothing(),
  update: (table: Table, values: Row, where: SQL): Statement =>
    drizzle().update(table).set(values).where(where),
  delete: (table: Table, where: SQL): Statement => drizzle().delete(table).where(where),
})

/** An error without the personal data that Drizzle and PostgreSQL quote: it must not reach the log. */
export function withoutParameters(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const cause = withoutParameters(error.cause)
  if ('query' in error && 'params' in error) {
    return new Error(`Failed query: ${String(error.query)}`, { cause })
  }
  if (cause === error.cause && !('detail' in error)) return error
  const { name, message, stack } = error
  return Object.assign(new Error(message), error, { name, stack, cause, detail: undefined })
}

export type Connection = ReturnType<typeof connectionTo>

/** Makes a table name the way Payload's adapters do. */
export const snakeCase = (text: string) =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .toLowerCase()

/** The column that holds a field. @throws {TypeError} when the table has none. */
export function column(table: PayloadTable, path: string): Column {
  const found = optionalColumn(table, path)
  if (found === undefined) throw new TypeError(`There is no column for the field "${path}".`)
  return found
}

/** The column that holds a field: `billingAddress.city` is `billingAddress_city`. */
export function optionalColumn(table: PayloadTable, path: string): Column | undefined {
  const found = table[path.replaceAll('.', '_')]
  // A setting may name what every object has, such as `toString`.
  return is(found, Column) ? found : undefined
}

export const columnOrNull = (table: PayloadTable, path: string): Column | SQL =>
  optionalColumn(table, path) ?? sql`null`

/** A column's bare name, as the target of an INSERT or UPDATE wants it. */
export const bareName = ({ name }: Column): SQL => sql.raw(quoted(name))

/** A column of a table that has this alias. */
export const nameBelow = (alias: string, { name }: Column): SQL =>
  sql.raw(`${quoted(alias)}.${quoted(name)}`)

/** A name as Drizzle writes it, which takes several times as long each time for an `sql.identifier`. */
export const quoted = (name: string): string => `"${name}"`

/** The column's PostgreSQL type. On SQLite `jsonb` also marks a JSON column. */
export function columnType(of: Column & { enum?: { enumName: string; schema?: string } }): string {
  if (of.dataType === 'json') return 'jsonb'
  if (of.enum === undefined) return of.getSQLType().replace('serial', 'integer')
  const { schema, enumName } = of.enum
  return [schema, enumName].flatMap((name) => (name ? `"${name}"` : [])).join('.')
}

/** Whether blocks are JSON in the row of their document, where our SQL cannot write them. */
export const keepsBlocksAsJson = ({ db }: Pick<BasePayload, 'db'>): boolean =>
  (db as { blocksAsJSON?: boolean }).blocksAsJSON === true

/** Reads the message too, because Payload keeps nothing else when it cannot begin a transaction. */
export function isBusyDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (
    code === tooManyConnections ||
    code === deadlock ||
    code === 'SQLITE_BUSY' ||
    error.message.includes(noConnectionInTime) ||
    isBusyDatabase(error.cause)
  )
}

const tooManyConnections = '53300'
/** PostgreSQL has ended one of two transactions that waited for each other; it works when it is repeated. */
const deadlock = '40P01'
const noConnectionInTime = 'timeout exceeded when trying to connect'
