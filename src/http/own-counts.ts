import type { Count } from '../database/shared-counts.js'
import { createRecentlyUsed } from './recently-used.js'

const minuteMs = 60_000

/** So that strangers cannot fill the memory. */
const mostCounts = 100_000

/** Counts in the memory of this process, for a minute each. It needs no database. */
export class OwnCounts {
  readonly #counts = createRecentlyUsed<Count>(mostCounts)

  add(key: string, times = 1): Count {
    const now = Date.now()
    const known = this.#counts.get(key)
    const before = known && known.endsAt > now ? known : { times: 0, endsAt: Infinity }
    // A minute that ends later than one that begins now is of a clock that was ahead.
    const endsAt = Math.min(before.endsAt, now + minuteMs)
    const count = { key, times: before.times + times, endsAt }
    this.#counts.set(key, count)
    return count
  }

  set(count: Count): void {
    if (count.endsAt > Date.now()) this.#counts.set(count.key, count)
  }
}

/** Seconds until the minute ends, when the count is over the limit; else 0. */
export const secondsToWait = ({ times, endsAt }: Count, limit: number): number =>
  times <= limit ? 0 : Math.max(1, Math.ceil((endsAt - Date.now()) / 1000))
