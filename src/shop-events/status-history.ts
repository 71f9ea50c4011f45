import { sql, type Column, type SQL } from 'drizzle-orm'
import type { StatusChange } from './happening.js'
import { parsedJson } from '../store/payload/json-rows.js'

/**
 * An order's history of statuses as the field `statusChanges` holds it. Nobody but the shop writes
 * there; what is no entry all the same (an import that knew no better) is passed over.
 */
export function readStatusChanges(stored: unknown): StatusChange[] {
  const entries = parsedJson(stored)
  return Array.isArray(entries) ? entries.filter(isStatusChange) : []
}

const isStatusChange = (entry: unknown): entry is StatusChange => {
  const { status, at, count } = (entry ?? {}) as Record<string, unknown>
  return (
    typeof status === 'string' &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    typeof count === 'number'
  )
}

/**
 * SQLite: the history with one more entry, within a statement, for a write that must not read before.
 * A status that the order has already adds nothing.
 */
export function appendedInSql({
  changes,
  statusColumn,
  status,
  at,
}: {
  changes: Column
  statusColumn: Column
  status: string
  at: Date
}): SQL {
  const known = sql`(case json_type(${changes}) when 'array' then ${changes} else '[]' end)`
  const count = sql`(select count(*) + 1 from json_each(${known}) as "entry"
    where "entry"."value" ->> '$.status' = ${status})`
  const entry = sql`json_object('status', ${status}, 'at', ${at.toISOString()}, 'count', ${count})`
  return sql`case when ${statusColumn} is ${status} then ${changes}
    else json_insert(${known}, '$[#]', ${entry}) end`
}
