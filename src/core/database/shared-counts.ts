import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { internalCollection } from './internal-collection.js'
import type { CollectionConfig } from 'payload'
import { derivedKey } from '../signing.js'
import { bareName, column, type Database, type Row } from './database.js'
import { jsonRows } from './json-rows.js'

/** How often something was done in one minute. The minute begins with the first time. */
export interface Count {
  key: string
  times: number
  /** When that minute ends, in milliseconds since 1970. */
  endsAt: number
  /** The count stays when its minute is over, for readers who look seldom. Only for a few keys. */
  isKept?: true
}

/** Counts that all processes of a shop share. */
export interface SharedCounts {
  /** Adds to the counts, or starts a new minute where one is over. Resolves to the new counts. */
  add: (this: void, counts: readonly Count[]) => Promise<Count[]>
  /** The last count of a key that is kept; undefined when there is none. */
  last: (this: void, key: string) => Promise<Count | undefined>
}

export const requestCountsSlug = 'request-counts'

/** What the throttles counted in the last minutes, and what they keep. Only they read it. */
export const requestCountCollection = (): CollectionConfig => ({
  slug: requestCountsSlug,
  ...internalCollection,
  timestamps: false,
  fields: [
    // The hash of the IP address or the account that is counted, with a prefix when the count is kept.
    { name: 'id', type: 'text', required: true },
    { name: 'times', type: 'number' },
    // Milliseconds since 1970.
    { name: 'endsAt', type: 'number' },
  ],
})

const minuteMs = 60_000
const pruneEveryMs = minuteMs
const keptPrefix = 'kept '

/**
 * Counts of all processes. A stored minute that ends later than one that begins now is of a clock that was
 * ahead: it is cut.
 */
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
  const idOf = ({ key, isKept }: Pick<Count, 'key' | 'isKept'>) =>
    (isKept ? keptPrefix : '') + hashOf(key)
  let prunedAt = 0

  return {
    async add(counts) {
      const keys = new Map(counts.map((count) => [idOf(count), count.key]))
      // The key is left out: a database may log the values of its statements.
      const rows = counts.map((count) => ({
        id: idOf(count),
        times: count.times,
        endsAt: count.endsAt,
      }))
      const shape = { id: 'text', times: 'bigint', endsAt: 'bigint' } as const
      const nowMs = now().getTime()
      const lastEnd = sql`cast(${nowMs + minuteMs} as bigint)`
      const isOver = sql`${endsAt} <= ${nowMs}`
      // Rows are written in the order of their ids, so that two processes cannot deadlock.
      const added = await database.rows(sql`
        insert into ${table} (${idName}, ${timesName}, ${endsAtName})
        select "id", "times", "endsAt" from ${jsonRows(database, shape, rows)} as "added"
        where true order by "id"
        on conflict (${idName}) do update set
          ${timesName} = excluded.${timesName} + case when ${isOver} then 0 else ${times} end,
          ${endsAtName} = case when ${isOver} then excluded.${endsAtName}
            when ${endsAt} > ${lastEnd} then ${lastEnd} else ${endsAt} end
        returning ${idName} as "id", ${timesName} as "times", ${endsAtName} as "endsAt"`)
      // The clock may have been set back since.
      if (Math.abs(nowMs - prunedAt) >= pruneEveryMs) {
        prunedAt = nowMs
        await database.delete(
          table,
          sql`${endsAt} <= ${nowMs - pruneEveryMs} and ${id} not like ${`${keptPrefix}%`}`,
        )
      }
      return added.map((row) => countOf(keys.get(String(row.id)) ?? '', row))
    },

    async last(key) {
      const [row] = await database.rows(sql`select ${times} as "times", ${endsAt} as "endsAt"
        from ${table} where ${id} = ${idOf({ key, isKept: true })}`)
      return row && countOf(key, row)
    },
  }
}

const countOf = (key: string, { times, endsAt }: Row): Count => ({
  key,
  times: Number(times),
  endsAt: Number(endsAt),
})
