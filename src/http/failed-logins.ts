import { RateLimiterMemory } from 'rate-limiter-flexible'
import { clientName } from './network-origin.js'
import { secondsToWait } from './rate-limit.js'

/** Failed logins that one address may make in a minute before it has to wait. IPv6: one /64. */
export const failedLoginsPerMinute = 10

/** Counts failed logins by address. Right credentials never ask it, so nobody is locked out. */
export interface FailedLogins {
  /** Seconds that the address has to wait; 0 while it may go on. */
  secondsToWait(address: string): Promise<number>
}

/** In this process's memory: each web process counts for itself. */
export function createFailedLogins(): FailedLogins {
  const limiter = new RateLimiterMemory({ points: failedLoginsPerMinute, duration: 60 })
  return { secondsToWait: (address) => secondsToWait(limiter, clientName(address)) }
}
