import { Problem } from '../../core/errors.js'
import { networkOrigin } from '../../core/http/client-ip.js'
import { createOwnCounts } from '../../core/http/own-counts.js'
import type { Count, SharedCounts } from '../../core/database/shared-counts.js'
import type { Shop } from '../../core/shop.js'

/** Posts a minute; 0 means no limit. */
export interface PostLimits {
  postsPerAddress: number
  postsPerNetwork: number
}

/** All posts from unknown addresses share the limit of this many networks. */
const networksUnknown = 20

const shareEveryMs = 1_000

export type PostThrottle = ReturnType<typeof createPostThrottle>

/**
 * By client IP and by network, so that nobody can fill the queue. It counts in memory, as a post must not cost a write
 * more, and processes share their counts once a second: within it they may together accept more than the limit.
 */
export function createPostThrottle({ log, effects }: Shop, counts: SharedCounts) {
  const own = createOwnCounts(effects.now)
  const unshared = new Map<string, Count>()
  let cancelSharing = () => {}

  async function share(): Promise<void> {
    cancelSharing()
    if (unshared.size === 0) return
    const added = [...unshared.values()]
    unshared.clear()
    try {
      for (const { key, times, endsAt } of await counts.add(added)) {
        own.set({ key, times: times + (unshared.get(key)?.times ?? 0), endsAt })
      }
    } catch (error) {
      log.error({ err: error }, 'Posts are counted in memory alone')
    }
  }

  function add(key: string, times: number): Count {
    const count = own.add(key, times)
    if (unshared.size === 0) {
      cancelSharing = effects.after(shareEveryMs, () => void share(), { isBackground: true })
    }
    unshared.set(key, { ...count, times: times + (unshared.get(key)?.times ?? 0) })
    return count
  }

  const secondsFor = (key: string, limit: number): number =>
    limit === 0 ? 0 : own.secondsToWait(add(key, 1), limit)

  return {
    /** Call it before the database is closed. */
    flush: share,
    /** Counts one post; 0 when it is accepted. */
    secondsToWait(
      clientIp: string | undefined,
      { postsPerAddress, postsPerNetwork }: PostLimits,
    ): number {
      const origin = clientIp === undefined ? undefined : networkOrigin(clientIp)
      if (origin === undefined) {
        return secondsFor('posts of unknown addresses', networksUnknown * postsPerNetwork)
      }
      // The network comes first, so that a network that has to wait needs no memory for each address.
      const network = `posts of network ${origin.network}`
      const wait = secondsFor(network, postsPerNetwork)
      if (wait > 0) return wait
      const ownWait = secondsFor(`posts of address ${origin.address}`, postsPerAddress)
      // A refused post does not count for the network, so that one address cannot block its neighbours.
      if (ownWait > 0 && postsPerNetwork > 0) add(network, -1)
      return ownWait
    },
  }
}

/** @throws {Problem} POSTS_THROTTLED. */
export function requirePostCapacity(
  { clientIp }: { clientIp: string | undefined },
  limits: PostLimits,
  throttle: PostThrottle,
): void {
  const seconds = throttle.secondsToWait(clientIp, limits)
  if (seconds === 0) return
  throw new Problem('POSTS_THROTTLED', {
    headers: { 'retry-after': String(seconds) },
    log: { clientIp },
  })
}
