import { RateLimiterMemory } from 'rate-limiter-flexible'
import { clientName } from './network-origin.js'
import { secondsToWait } from './rate-limit.js'

/** Logins that one address may try, and fail, in a minute before it has to wait. IPv6: one /64. */
export const triedLoginsPerMinute = 10

/**
 * Counts logins by address before the password is looked at, as that costs a fifth of a second of
 * the server. A login that succeeds takes its count back.
 */
export interface LoginThrottle {
  /** Seconds that the address has to wait; 0 when it may try, which counts. */
  try(address: string): Promise<number>
  succeeded(address: string): Promise<void>
}

/** In this process's memory: each web process counts for itself. */
export function createLoginThrottle(): LoginThrottle {
  const limiter = new RateLimiterMemory({ points: triedLoginsPerMinute, duration: 60 })
  return {
    try: (address) => secondsToWait(limiter, clientName(address)),
    async succeeded(address) {
      await limiter.reward(clientName(address))
    },
  }
}
