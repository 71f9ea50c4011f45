import { sql, type Column, type SQL } from 'drizzle-orm'
import {
  bareName,
  column,
  columnType,
  nameBelow,
  type Database,
} from '../../core/database/database.js'
import type { JsonShape } from '../../core/database/json-rows.js'
import { sendFieldNames, sendFieldPath, type SendField } from './send-fields.js'
import { sendKinds } from './send.js'
import type { Config } from 'payload'
import { withChangedTable } from '../../core/database/changed-table.js'

/** The index of the waiting sends of each kind, in the order in which they were stored. */
export const waitingIndex = 'marketing_sends_waiting_idx'

/** With these indexes a query costs the same with a million sends as with none. */
const indexes = [
  { name: waitingIndex, on: ['kind', 'state', 'id'] },
  // Finds earlier sends of a profile that block later ones.
  { name: 'marketing_sends_profile_idx', on: ['profile', 'state', 'id'] },
  // Finds old sends to delete.
  { name: 'marketing_sends_sent_idx', on: ['sentAt', 'state'] },
]

/** Adds the indexes of the sends, and numeric ids, which give the sends their order. */
export const withSendSchema = (db: Config['db']): Config['db'] =>
  withChangedTable(db, sendsSlug, (table, isSqlite) => {
    const type = isSqlite ? 'integer' : 'serial'
    // In a store with UUIDs this one table gets a sequence, because random ids have no order.
    if (table.columns.id?.type !== type) table.columns.id = { name: 'id', type, primaryKey: true }
    table.indexes = {
      ...table.indexes,
      ...Object.fromEntries(indexes.map((index) => [index.name, index])),
    }
  })

export const sendsSlug = 'marketing-sends'

export type SendColumns = Readonly<Record<SendField, SQL>>

/**
 * The table of the sends and its columns, for SQL statements.
 *
 * @throws {TypeError} when the database lacks the collection, or its ids are not ascending numbers.
 */
export function sendTable(database: Database) {
  const table = database.table(sendsSlug)
  const columnOf = (field: SendField) => column(table, sendFieldPath(field))
  if (columnOf('id').dataType !== 'number') {
    throw new TypeError(
      `Storeconnect needs ascending numbers as ids of "${sendsSlug}", and this database has others.`,
    )
  }
  const eachField = <Value>(valueOf: (of: Column) => Value) =>
    Object.fromEntries(
      sendFieldNames.map((field) => [field, valueOf(columnOf(field))]),
    ) as unknown as Readonly<Record<SendField, Value>>
  const as = (alias: string): SendColumns => eachField((of) => nameBelow(alias, of))
  return {
    database,
    table,
    /** Column names without the table name, as the target of a write needs them. */
    bare: eachField(bareName) satisfies SendColumns,
    /** The columns of the table under an alias. */
    as,
    /** Whether the deletion of a profile waits, or is in a call. */
    isDeletionWaiting: (profile: SQL): SQL => {
      const d = as('d')
      return sql`exists (select 1 from ${table} as "d" where ${d.profile} = ${profile}
        and ${d.state} in ('queued', 'sending') and ${checked(sql`${d.kind} = 'erase'`)})`
    },
    /** The column types, for rows of JSON whose keys are field names. */
    shape: eachField(columnType) satisfies JsonShape,
  }
}

export type SendTable = ReturnType<typeof sendTable>

/** Matches every kind, so that the database can use the indexes that begin with the kind. */
export const ofAnyKind = ({ kind }: SendColumns): SQL =>
  sql`${kind} in (${sql.raw(sendKinds.map((name) => `'${name}'`).join(', '))})`

/** Keeps the database from using an index for a condition: without statistics it would scan the rows of a state. */
export const checked = (condition: SQL): SQL => sql`((${condition}) is true)`

/** The key of who waits for a product no more: who asks again is no repeat. */
export const overKey = ({ id }: SendColumns): SQL => sql`'back-in-stock:over:' || ${id}`

/** A value of the profile in the stored message. */
export const profileValue = (
  { isSqlite }: Pick<Database, 'isSqlite'>,
  { message }: SendColumns,
  name: 'email' | 'externalId' | 'phoneNumber',
): SQL =>
  isSqlite
    ? sql`${message} ->> ${sql.raw(`'$.profile.${name}'`)}`
    : sql`${message} #>> ${sql.raw(`'{profile,${name}}'`)}`
