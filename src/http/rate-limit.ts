import { RateLimiterMemory } from 'rate-limiter-flexible'

/** How often something was done in the minute that began with the first time. */
export interface Count {
  key: string
  times: number
  /** When that minute is over, in milliseconds since 1970. */
  endsAt: number
}

/** The counts that all processes of a shop share. */
export interface SharedCounts {
  /** Adds to each key's count, or begins a new minute where its last is over. What they are then. */
  add: (this: void, counts: readonly Count[]) => Promise<Count[]>
}

/** What is counted in this process's memory, where no database slows it down or fails. */
export class OwnCounts {
  // It only counts; the limits are checked by who asks, as the settings change them.
  readonly #limiter = new RateLimiterMemory({ points: 0, duration: 60 })

  async add(key: string, times = 1): Promise<Count> {
    const { consumedPoints, msBeforeNext } = await this.#limiter.penalty(key, times)
    return { key, times: consumedPoints, endsAt: Date.now() + msBeforeNext }
  }

  async set({ key, times, endsAt }: Count): Promise<void> {
    const seconds = (endsAt - Date.now()) / 1000
    if (seconds > 0) await this.#limiter.set(key, times, seconds)
  }
}

/** Seconds until the minute is over, for who is over the limit; else 0. */
export const secondsToWait = ({ times, endsAt }: Count, limit: number): number =>
  times <= limit ? 0 : Math.max(1, Math.ceil((endsAt - Date.now()) / 1000))
