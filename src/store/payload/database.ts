import { sql, type Column, type SQL, type Table } from 'drizzle-orm'
import type { BasePayload, PayloadRequest } from 'payload'
import { Problem } from '../../errors.js'
import { once } from '../../once.js'
import { databaseRefusal } from './database-refusal.js'

/** A table of Payload's own Drizzle schema; columns by field path, joined with `_`. */
export type PayloadTable = Table & Partial<Record<string, Column>>

export type Row = Record<string, unknown>

/** A statement that is run by awaiting it, or as one of a batch. */
export type Statement = PromiseLike<unknown>

interface InsertBuilder extends Statement {
  onConflictDoNothing(): InsertBuilder
}

/** A statement whose text can be had. */
interface RawStatement extends Statement {
  getQuery(): { sql: string }
}

/** What both adapters' Drizzle instances, and their transactions, offer. */
interface Drizzle {
  insert(table: Table): { values(rows: Row | Row[]): InsertBuilder }
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

interface DrizzleAdapter {
  name: string
  drizzle: Drizzle
  tables: Record<string, PayloadTable>
  /** By the snake-case path of the collection and the fields below it. */
  tableNameMap: Map<string, string>
  sessions?: Record<string, { db: Drizzle }>
}

/** Where statements run: the pool, or the transaction of a request. */
export interface Connection {
  rows(query: SQL): Promise<Row[]>
  run(query: SQL): Statement
  /** Rows by column key, as Payload's schema names them; a row that breaks a unique index is passed over. */
  insertIgnoring(table: Table, rows: Row | Row[]): Statement
  update(table: Table, values: Row, where: SQL): Statement
  delete(table: Table, where: SQL): Statement
}

/**
 * The SQL database below Payload's document pipeline. The export reads and the queue writes here,
 * because hooks and access rules of a full `find` cost ten times the query; whatever a store's own
 * hooks must see goes through Payload instead.
 */
export interface Database extends Connection {
  isSqlite: boolean
  /** Whether a column's value is one of these: one parameter, however many there are. */
  isOneOf(of: Column | SQL, values: readonly (number | string)[]): SQL
  /**
   * The table of a collection, or of an array, a block (`blocks`, then its slug) or the relations
   * (`rels`) below it: `table('orders', 'items')`.
   *
   * @throws {TypeError} when the schema has none.
   */
  table(slug: string, ...path: string[]): PayloadTable
  optionalTable(slug: string, ...path: string[]): PayloadTable | undefined
  /**
   * A part of statements that never changes, values included, with its text built once: for a large
   * one that takes Drizzle longer than the database takes to run it.
   */
  fixed(part: SQL): () => SQL
  /** The request's transaction. */
  within(req: PayloadRequest): Promise<Connection>
  /** Whether the request's transaction is there: nobody has ended it. */
  isWithin(req: Pick<PayloadRequest, 'transactionID'>): Promise<boolean>
  /**
   * SQLite only: runs statements as one BEGIN…COMMIT on Payload's own connection, all or nothing.
   * The rows of each come back in order. Begin with a statement that writes: SQLite cannot turn a
   * reading transaction into a writing one while another process writes.
   */
  batch(statements: readonly Statement[]): Promise<Row[][]>
}

/** @throws {Problem} DATABASE_NOT_SUPPORTED. */
export function sqlDatabase(payload: BasePayload): Database {
  const adapter = payload.db as unknown as DrizzleAdapter
  const refusal = databaseRefusal(payload)
  if (refusal !== undefined) throw new Problem('DATABASE_NOT_SUPPORTED', { message: refusal })
  const isSqlite = adapter.name === 'sqlite'

  const optionalTable = (slug: string, ...path: string[]) => {
    const collectionTable = adapter.tableNameMap.get(snakeCase(slug)) ?? snakeCase(slug)
    const key = [collectionTable, ...path.map(snakeCase)].join('_')
    return adapter.tables[adapter.tableNameMap.get(key) ?? key]
  }

  const sessionOf = async (req: Pick<PayloadRequest, 'transactionID'>) => {
    const transaction = await req.transactionID
    return transaction === undefined ? undefined : adapter.sessions?.[transaction]
  }

  return {
    // Not a copy of the fields: Payload connects, and so makes `drizzle`, after this is called.
    ...connectionTo(() => adapter.drizzle, isSqlite),
    isSqlite,
    isOneOf: (of, values) =>
      isSqlite
        ? sql`${of} in (select value from json_each(${JSON.stringify(values)}))`
        : sql`${of} = any(${sql.param([...values])})`,
    optionalTable,
    fixed: (part) =>
      once(() => {
        const { drizzle } = adapter
        const whole = part.inlineParams()
        return sql.raw((isSqlite ? drizzle.run(whole) : drizzle.execute(whole)).getQuery().sql)
      }),
    table(slug, ...path) {
      const table = optionalTable(slug, ...path)
      if (table === undefined) {
        throw new TypeError(`The database has no table for "${[slug, ...path].join('.')}".`)
      }
      return table
    },
    async within(req) {
      const session = await sessionOf(req)
      return connectionTo(() => session?.db ?? adapter.drizzle, isSqlite)
    },
    isWithin: async (req) => (await sessionOf(req)) !== undefined,
    async batch(statements) {
      const results = await adapter.drizzle.batch(statements)
      return results.map(({ rows }) => rows ?? [])
    },
  }
}

const connectionTo = (drizzle: () => Drizzle, isSqlite: boolean): Connection => ({
  rows: async (query) => (isSqlite ? drizzle().all(query) : (await drizzle().execute(query)).rows),
  run: (query) => (isSqlite ? drizzle().run(query) : drizzle().execute(query)),
  insertIgnoring: (table, rows) => drizzle().insert(table).values(rows).onConflictDoNothing(),
  update: (table, values, where) => drizzle().update(table).set(values).where(where),
  delete: (table, where) => drizzle().delete(table).where(where),
})

/** As Payload's adapters name tables. */
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
export const optionalColumn = (table: PayloadTable, path: string): Column | undefined =>
  table[path.replaceAll('.', '_')]

/** A column's bare name, as the target of an INSERT or UPDATE wants it. */
export const bareName = (of: Column): SQL => sql`${sql.identifier(of.name)}`
