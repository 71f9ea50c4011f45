import { sql, type Column, type SQL } from 'drizzle-orm'
import { bareName, column, type Database, type PayloadTable } from '../store/payload/database.js'

export const sendsSlug = 'marketing-sends'

const fieldPaths = {
  id: 'id',
  state: 'state',
  kind: 'kind',
  profile: 'profile',
  list: 'list',
  metric: 'metric',
  uniqueId: 'uniqueId',
  key: 'key',
  message: 'message',
  bytes: 'bytes',
  acceptedAt: 'acceptedAt',
  nextAttemptAt: 'nextAttemptAt',
  attempts: 'attempts',
  batchSize: 'batchSize',
  crashes: 'crashes',
  call: 'call',
  sentAt: 'sentAt',
  job: 'job',
  errorCode: 'error.code',
  errorDetail: 'error.detail',
  errorStatus: 'error.status',
  errorPointer: 'error.pointer',
} as const

export type SendField = keyof typeof fieldPaths
export type SendColumns = Readonly<Record<SendField, SQL>>

/** The table of the sends, for statements that name it more than once. */
export interface SendTable {
  database: Database
  table: PayloadTable
  /** Column names without the table, as the target of a write wants them. */
  bare: SendColumns
  /** The columns of the table under an alias. */
  as: (alias: string) => SendColumns
  /** A text as a value of a choice's own type: PostgreSQL has one for each. */
  choice: (field: 'state' | 'kind', text: SQL) => SQL
  isAmong: (of: SQL, values: readonly number[]) => SQL
  /**
   * A condition that rows are checked by and never looked up by. A database that does not know yet
   * that most rows are in one state else walks over all of these instead of over a handful of ids.
   */
  checked: (condition: SQL) => SQL
  /** A parameter that the database cannot tell the type of by its place. */
  time: (at: Date) => SQL
}

/** @throws {TypeError} when the database lacks the collection, or its ids are not a sequence. */
export function sendTable(database: Database): SendTable {
  const table = database.table(sendsSlug)
  const columnOf = (field: SendField) => column(table, fieldPaths[field])
  if (columnOf('id').dataType !== 'number') {
    throw new TypeError(
      `Storeconnect needs ascending numbers as ids of "${sendsSlug}", and this database has others.`,
    )
  }
  const eachField = (name: (of: Column) => SQL): SendColumns => {
    const fields = Object.keys(fieldPaths) as SendField[]
    return Object.fromEntries(
      fields.map((field) => [field, name(columnOf(field))]),
    ) as unknown as SendColumns
  }
  return {
    database,
    table,
    bare: eachField(bareName),
    as: (alias) => eachField((of) => sql`${sql.identifier(alias)}.${bareName(of)}`),
    choice(field, text) {
      const type = enumOf(columnOf(field))
      if (type === undefined) return text
      const schema = type.schema === undefined ? sql`` : sql`${sql.identifier(type.schema)}.`
      return sql`cast(${text} as ${schema}${sql.identifier(type.enumName)})`
    },
    checked: (condition) => sql`((${condition}) is true)`,
    isAmong: (of, values) => database.isOneOf(of, values),
    time: (at) =>
      database.isSqlite ? sql`${at.toISOString()}` : sql`${at.toISOString()}::timestamptz`,
  }
}

/** PostgreSQL only. */
const enumOf = (of: Column): { enumName: string; schema?: string } | undefined =>
  (of as Column & { enum?: { enumName: string; schema?: string } }).enum
