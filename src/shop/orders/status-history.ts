import { sql, type Column, type SQL } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { parsedJson } from '../../core/database/json-rows.js'

/** Who or what made a change of status: an admin, the customer's own login, or a notice of ShipStation. */
export type StatusMaker = 'admin' | 'customer' | 'shipment'

export interface StatusChange {
  status: string
  /** ISO 8601. */
  at: string
  /** How often the order has entered that status: 1 for the first time. */
  count: number
  /** Absent: the store's own code, or a change from before this was noted. */
  by?: StatusMaker
  /** The id of the admin who made it. A customer's is not kept here. */
  admin?: DocumentId
  /** The order was made with this status; the entry becomes Placed Order. */
  placed?: true
  /** The entry is from an import or a seed, so no event is sent for it. */
  isImport?: true
  /** The events that were switched off at that time. They are not sent when they are switched on later. */
  off?: readonly string[]
}

/** Reads the field `statusChanges`. What an import has stored in another form is left out. */
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

/** Whether the caller, such as an import or a seed, asked that the change sends nothing. */
export const isImport = ({ context }: Pick<PayloadRequest, 'context'>): boolean =>
  context.storeconnect === 'import'

/** The status history with one more entry, which a notice makes. */
export function withShipment(
  stored: unknown,
  { status, at }: Pick<StatusChange, 'status' | 'at'>,
): StatusChange[] {
  const changes = readStatusChanges(stored)
  const count = changes.filter((earlier) => earlier.status === status).length + 1
  return [...changes, { status, at, count, by: 'shipment' }]
}

/** The same as an expression of SQLite. The history stays as it is when the order has the status already. */
export function appendedInSql(
  { changes, statusColumn }: { changes: Column; statusColumn: Column },
  { status, at }: Pick<StatusChange, 'status' | 'at'>,
): SQL {
  const known = sql`(case json_type(${changes}) when 'array' then ${changes} else '[]' end)`
  const count = sql`(select count(*) + 1 from json_each(${known}) as "entry"
    where "entry"."value" ->> '$.status' = ${status})`
  const entry = sql`json_object('status', ${status}, 'at', ${at}, 'count', ${count}, 'by', 'shipment')`
  return sql`case when ${statusColumn} is ${status} then ${changes}
    else json_insert(${known}, '$[#]', ${entry}) end`
}
