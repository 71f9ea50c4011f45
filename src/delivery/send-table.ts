import { sql, type Column, type SQL } from 'drizzle-orm'
import { bareName, column, type Database } from '../store/payload/database.js'
import type { JsonShape } from '../store/payload/json-rows.js'
import { sendKinds } from './send.js'

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

export const sendFields = Object.keys(fieldPaths) as SendField[]

/**
 * The table of the sends, for statements that name it more than once.
 *
 * @throws {TypeError} when the database lacks the collection, or its ids are not a sequence.
 */
export function sendTable(database: Database) {
  const table = database.table(sendsSlug)
  const columnOf = (field: SendField) => column(table, fieldPaths[field])
  if (columnOf('id').dataType !== 'number') {
    throw new TypeError(
      `Storeconnect needs ascending numbers as ids of "${sendsSlug}", and this database has others.`,
    )
  }
  const eachField = <Value>(valueOf: (of: Column) => Value) =>
    Object.fromEntries(
      sendFields.map((field) => [field, valueOf(columnOf(field))]),
    ) as unknown as Readonly<Record<SendField, Value>>
  return {
    database,
    table,
    /** Column names without the table, as the target of a write wants them. */
    bare: eachField(bareName) satisfies SendColumns,
    /** The columns of the table under an alias. */
    as: (alias: string): SendColumns =>
      eachField((of) => sql`${sql.identifier(alias)}.${bareName(of)}`),
    /** For rows of JSON that have the names of the fields. */
    shape: eachField(typeOf) satisfies JsonShape,
  }
}

export type SendTable = ReturnType<typeof sendTable>

/** All kinds, so that the indexes that begin with one can be used. */
export const ofAnyKind = ({ kind }: SendColumns): SQL =>
  sql`${kind} in (${sql.raw(sendKinds.map((name) => `'${name}'`).join(', '))})`

/**
 * A condition that rows are checked by and never looked up by. A database that does not know yet
 * that most rows are in one state else walks over all of these instead of over a handful of ids.
 */
export const checked = (condition: SQL): SQL => sql`((${condition}) is true)`

/** In PostgreSQL; `jsonb` says on SQLite, too, that it is JSON. */
function typeOf(of: Column & { enum?: { enumName: string; schema?: string } }): string {
  if (of.dataType === 'json') return 'jsonb'
  if (of.enum === undefined) return of.getSQLType().replace('serial', 'integer')
  const { schema, enumName } = of.enum
  return [schema, enumName].flatMap((name) => (name ? `"${name}"` : [])).join('.')
}
