import type { Log } from '../store/log.js'
import { networkOrigin } from './client-ip.js'
import { OwnCounts, secondsToWait, type Count, type SharedCounts } from './rate-limit.js'

/** Posts a minute; 0 is no limit. */
export interface PostLimits {
  postsPerAddress: number
  postsPerNetwork: number
}

/** Counts posts by network address and by network, so that nobody can fill the queue. */
export interface PostThrottle {
  /** Counts one post. Seconds that its sender has to wait; 0 when it may be taken. */
  secondsToWait(clientIp: string | undefined, limits: PostLimits): Promise<number>
  /** Tells the other processes at once what they do not know yet: the database is about to be closed. */
  flush(): Promise<void>
}

/** Posts whose sender's address is not known share what this many networks have. */
const networksUnknown = 20

const shareEveryMs = 1_000

/**
 * In memory, as a post must cost the database no write of its own. Once a second the processes of
 * the shop tell each other their counts, so together they may take what comes within that second.
 */
export function createPostThrottle({
  counts,
  log,
}: {
  counts: SharedCounts
  log: Pick<Log, 'error'>
}): PostThrottle {
  const own = new OwnCounts()
  const untold = new Map<string, Count>()
  let timer: NodeJS.Timeout | undefined

  async function share(): Promise<void> {
    clearTimeout(timer)
    if (untold.size === 0) return
    const told = [...untold.values()]
    untold.clear()
    try {
      for (const { key, times, endsAt } of await counts.add(told)) {
        await own.set({ key, times: times + (untold.get(key)?.times ?? 0), endsAt })
      }
    } catch (error) {
      log.error({ err: error }, 'Posts are counted in memory alone')
    }
  }

  async function add(key: string, times: number): Promise<Count> {
    const count = await own.add(key, times)
    if (untold.size === 0) timer = setTimeout(() => void share(), shareEveryMs).unref()
    untold.set(key, { ...count, times: times + (untold.get(key)?.times ?? 0) })
    return count
  }

  async function secondsFor(key: string, limit: number): Promise<number> {
    return limit === 0 ? 0 : secondsToWait(await add(key, 1), limit)
  }

  return {
    flush: share,
    async secondsToWait(clientIp, { postsPerAddress, postsPerNetwork }) {
      const origin = clientIp === undefined ? undefined : networkOrigin(clientIp)
      if (origin === undefined) {
        return secondsFor('posts of unknown addresses', networksUnknown * postsPerNetwork)
      }
      // The network first: a network that has to wait costs no memory for each of its addresses.
      const network = `posts of network ${origin.network}`
      const wait = await secondsFor(network, postsPerNetwork)
      if (wait > 0) return wait
      const ownWait = await secondsFor(`posts of address ${origin.address}`, postsPerAddress)
      // One address that goes on and on would use up what its neighbours have.
      if (ownWait > 0 && postsPerNetwork > 0) await add(network, -1)
      return ownWait
    },
  }
}
