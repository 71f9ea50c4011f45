import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Count } from '../database/shared-counts.js'

const minuteSeconds = 60

/** Counts in the memory of this process, for a minute each. It needs no database. */
export class OwnCounts {
  // The limiter only counts: callers check the limits, as the settings may change them.
  readonly #limiter = new RateLimiterMemory({ points: 0, duration: minuteSeconds })

  async add(key: string, times = 1): Promise<Count> {
    const { consumedPoints, msBeforeNext } = await this.#limiter.penalty(key, times)
    return {
      key,
      times: consumedPoints,
      endsAt: Date.now() + Math.min(msBeforeNext, minuteSeconds * 1_000),
    }
  }

  async set({ key, times, endsAt }: Count): Promise<void> {
    const seconds = (endsAt - Date.now()) / 1000
    if (seconds > 0) await this.#limiter.set(key, times, seconds)
  }
}

/** Seconds until the minute ends, when the count is over the limit; else 0. */
export const secondsToWait = ({ times, endsAt }: Count, limit: number): number =>
  times <= limit ? 0 : Math.max(1, Math.ceil((endsAt - Date.now()) / 1000))
