import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { CallLog, CallLogStore } from '../../../delivery/call-log.js'
import { bareName, column, type Database } from '../database.js'
import { callLogsSlug } from './call-log-collection.js'
import { parsedJson } from './json-rows.js'

/** The call logs in the database, where all processes share them. */
export function createCallLogStore(database: Database): CallLogStore {
  const logs = database.table(callLogsSlug)
  const [call, log, version] = ['call', 'log', 'version'].map((name) =>
    bareName(column(logs, name)),
  )
  // Where ids are UUIDs, SQLite leaves it to who writes to make one.
  const idColumn = column(logs, 'id')
  const hasUuids = idColumn.dataType === 'string'
  const id = {
    names: hasUuids ? [bareName(idColumn)] : [],
    values: () => (hasUuids ? [sql`${randomUUID()}`] : []),
  }
  const asJson = (value: CallLog) =>
    database.isSqlite ? sql`${JSON.stringify(value)}` : sql`${JSON.stringify(value)}::jsonb`

  return {
    async read(name) {
      const [row] = await database.rows(
        sql`select ${log} as "log", ${version} as "version" from ${logs} where ${call} = ${name}`,
      )
      if (row === undefined) return { log: { calls: [] }, version: 0 }
      return { log: parsedJson(row.log) as CallLog, version: Number(row.version) }
    },
    async write(name, value, readVersion) {
      const written = await database.rows(
        readVersion === 0
          ? sql`insert into ${logs} (${sql.join([...id.names, call, log, version], sql`, `)})
              values (${sql.join([...id.values(), sql`${name}`, asJson(value), sql`1`], sql`, `)})
              on conflict do nothing returning ${version}`
          : sql`update ${logs} set ${log} = ${asJson(value)}, ${version} = ${readVersion + 1}
              where ${call} = ${name} and ${version} = ${readVersion} returning ${version}`,
      )
      return written.length > 0
    },
  }
}
