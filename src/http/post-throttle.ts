import { RateLimiterMemory } from 'rate-limiter-flexible'
import { networkOrigin } from './network-origin.js'
import { secondsToWait } from './rate-limit.js'

/** Posts a minute; 0 is no limit. */
export interface PostLimits {
  postsPerAddress: number
  postsPerNetwork: number
}

/** Counts posts by network address and by network, so that nobody can fill the queue. */
export interface PostThrottle {
  /** Counts one post. Seconds that its sender has to wait; 0 when it may be taken. */
  secondsToWait(address: string | undefined, limits: PostLimits): Promise<number>
}

/** In this process's memory: each web process counts for itself. */
export function createPostThrottle(): PostThrottle {
  const addresses = new RateLimiterMemory({ keyPrefix: 'address', points: 1, duration: 60 })
  const networks = new RateLimiterMemory({ keyPrefix: 'network', points: 1, duration: 60 })
  return {
    async secondsToWait(text, { postsPerAddress, postsPerNetwork }) {
      const origin = text === undefined ? undefined : networkOrigin(text)
      if (origin === undefined) return 0
      // The network first: a network that has to wait costs no memory for each of its addresses.
      const wait = await count(networks, { key: origin.network, limit: postsPerNetwork })
      if (wait > 0) return wait
      const ownWait = await count(addresses, { key: origin.address, limit: postsPerAddress })
      // One address that goes on and on would use up what its neighbours have.
      if (ownWait > 0 && postsPerNetwork > 0) await networks.reward(origin.network)
      return ownWait
    },
  }
}

function count(
  limiter: RateLimiterMemory,
  { key, limit }: { key: string; limit: number },
): Promise<number> {
  if (limit === 0) return Promise.resolve(0)
  // As the settings are now.
  limiter.points = limit
  return secondsToWait(limiter, key)
}
