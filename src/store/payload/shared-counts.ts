import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { CollectionConfig } from 'payload'
import { derivedKey } from '../../http/derived-key.js'
import type { SharedCounts } from '../../http/rate-limit.js'
import { bareName, column, type Database } from './database.js'
import { jsonRows } from './json-rows.js'

export const requestCountsSlug = 'request-counts'

/** What the throttles have counted in the last minutes. Nobody reads it but they. */
export const requestCountCollection: CollectionConfig = {
  slug: requestCountsSlug,
  admin: { hidden: true },
  access: { read: () => false, create: () => false, update: () => false, delete: () => false },
  lockDocuments: false,
  timestamps: false,
  fields: [
    // A hash of what is counted, which is an address or an account.
    { name: 'id', type: 'text', required: true },
    { name: 'times', type: 'number' },
    // Milliseconds since 1970.
    { name: 'endsAt', type: 'number' },
  ],
}

const pruneEveryMs = 60_000

/** The counts in the database. One statement adds, so two processes at once lose nothing. */
export function createSharedCounts(
  database: Database,
  { secret, now }: { secret: string; now: () => Date },
): SharedCounts {
  const table = database.table(requestCountsSlug)
  const id = column(table, 'id')
  const times = column(table, 'times')
  const endsAt = column(table, 'endsAt')
  const [idName, timesName, endsAtName] = [bareName(id), bareName(times), bareName(endsAt)]
  const key = derivedKey(secret, 'request counts')
  const hashOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  let pruneAt = 0

  return {
    async add(counts) {
      const keys = new Map(counts.map((count) => [hashOf(count.key), count.key]))
      const rows = counts.map((count) => ({ ...count, id: hashOf(count.key) }))
      const shape = { id: 'text', times: 'bigint', endsAt: 'bigint' } as const
      const nowMs = now().getTime()
      const isOver = sql`${endsAt} <= ${nowMs}`
      // In the order of ids, so that two processes never wait for each other's rows.
      const added = await database.rows(sql`
        insert into ${table} (${idName}, ${timesName}, ${endsAtName})
        select "id", "times", "endsAt" from ${jsonRows(database, shape, rows)} as "added"
        where true order by "id"
        on conflict (${idName}) do update set
          ${timesName} = excluded.${timesName} + case when ${isOver} then 0 else ${times} end,
          ${endsAtName} = case when ${isOver} then excluded.${endsAtName} else ${endsAt} end
        returning ${idName} as "id", ${timesName} as "times", ${endsAtName} as "endsAt"`)
      if (nowMs >= pruneAt) {
        pruneAt = nowMs + pruneEveryMs
        await database.delete(table, sql`${endsAt} <= ${nowMs - pruneEveryMs}`)
      }
      return added.map((row) => ({
        key: keys.get(String(row.id)) ?? '',
        times: Number(row.times),
        endsAt: Number(row.endsAt),
      }))
    },
  }
}
