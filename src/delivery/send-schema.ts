import type { Config } from 'payload'
import { withRawTable } from '../store/payload/raw-index.js'
import { sendsSlug } from './send-table.js'

/** What waits of a kind, in the order in which it was stored. */
export const waitingIndex = 'marketing_sends_waiting_idx'

/** What keeps every look at the sends as cheap with a million of them as with none. */
const indexes = [
  { name: waitingIndex, on: ['kind', 'state', 'id'] },
  // What of one profile is in the way of its other sends.
  { name: 'marketing_sends_profile_idx', on: ['profile', 'state', 'id'] },
  // What has been listed long enough.
  { name: 'marketing_sends_sent_idx', on: ['sentAt', 'state'] },
]

/** Adds the indexes of the sends, and the ids by which they are ordered. */
export const withSendSchema = (db: Config['db']): Config['db'] =>
  withRawTable(db, sendsSlug, (table, isSqlite) => {
    const type = isSqlite ? 'integer' : 'serial'
    // A store whose ids are UUIDs gets a sequence for this one table: random ids have no order.
    if (table.columns.id?.type !== type) table.columns.id = { name: 'id', type, primaryKey: true }
    table.indexes = {
      ...table.indexes,
      ...Object.fromEntries(indexes.map((index) => [index.name, index])),
    }
  })
