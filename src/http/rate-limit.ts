import { RateLimiterRes, type RateLimiterMemory } from 'rate-limiter-flexible'

/** Counts one for the key. Seconds that it has to wait; 0 when it may go on. */
export async function secondsToWait(limiter: RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiter.consume(key)
    return 0
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) {
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
    }
    throw refusal
  }
}
