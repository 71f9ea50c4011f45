import type { Count } from '../database/shared-counts.js'
import { createRecentlyUsed } from '../database/cached-value.js'

const minuteMs = 60_000

/** So that strangers cannot fill the memory. */
const mostCounts = 100_000

/** Counts in the memory of this process, for a minute each. It needs no database. */
export function createOwnCounts(now: () => Date) {
  const counts = createRecentlyUsed<Count>(mostCounts)
  const nowMs = () => now().getTime()
  return {
    add(key: string, times = 1): Count {
      const stored = counts.get(key)
      const before = stored && stored.endsAt > nowMs() ? stored : { times: 0, endsAt: Infinity }
      // A minute that ends later than one that begins now was begun by a clock that was ahead.
      const endsAt = Math.min(before.endsAt, nowMs() + minuteMs)
      const count = { key, times: before.times + times, endsAt }
      counts.set(key, count)
      return count
    },
    set(count: Count): void {
      if (count.endsAt > nowMs()) counts.set(count.key, count)
    },
    /** Seconds until the minute ends, when the count is over the limit; else 0. */
    secondsToWait: ({ times, endsAt }: Count, limit: number): number =>
      times <= limit ? 0 : Math.max(1, Math.ceil((endsAt - nowMs()) / 1000)),
  }
}
