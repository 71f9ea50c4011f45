import { sql, type Column, type SQL } from 'drizzle-orm'
import type { StatusChange } from './happening.js'
import type { BuiltInEvent } from '../settings/marketing-settings.js'
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

/** What an entry is made of. */
export interface NewEntry {
  status: string
  at: Date
  isNew: boolean
  isSilent: boolean
  /** What is switched off of that which the entry stands for. */
  off: readonly BuiltInEvent[]
}

/** The history with one more entry. */
export function withStatusChange(
  changes: readonly StatusChange[],
  { status, at, isNew, isSilent, off }: NewEntry,
): StatusChange[] {
  const count = changes.filter((earlier) => earlier.status === status).length + 1
  return [
    ...changes,
    {
      status,
      at: at.toISOString(),
      count,
      ...(isNew && { placed: true as const }),
      ...(isSilent && { silent: true as const }),
      ...(off.length > 0 && { off }),
    },
  ]
}

/**
 * SQLite: the same within a statement, for a write that must not read before. A status that the order
 * has already adds nothing.
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
