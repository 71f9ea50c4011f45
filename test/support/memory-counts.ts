import type { Count, SharedCounts } from '../../src/database/shared-counts.js'

/** Counts that two throttles share as two processes do. It passes the suite of the real ones. */
export function memoryCounts(): SharedCounts {
  const kept = new Map<string, Count>()
  return {
    add(counts) {
      const added = counts.map((count) => {
        const last = kept.get(count.key)
        const isOver = last === undefined || last.endsAt <= Date.now()
        const next = isOver ? count : { ...last, times: last.times + count.times }
        kept.set(count.key, next)
        return next
      })
      return Promise.resolve(added)
    },
    last: (key) => Promise.resolve(kept.get(key)),
  }
}
