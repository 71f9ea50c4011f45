import { isIPv4, isIPv6 } from 'node:net'
import { RateLimiterMemory } from 'rate-limiter-flexible'
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
      return count(addresses, { key: origin.address, limit: postsPerAddress })
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

/** An address in one spelling, and the network it is in. */
export interface NetworkOrigin {
  address: string
  /** IPv4 /24, IPv6 /64: what one subscriber commonly has. */
  network: string
}

/** Undefined for what is no IP address. An IPv4 address written as IPv6 is the IPv4 address. */
export function networkOrigin(text: string): NetworkOrigin | undefined {
  const address = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
  if (isIPv4(address)) return ofIPv4(address.split('.').map(Number))
  if (!isIPv6(address)) return undefined
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return ofIPv4(groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]))
  const written = groups.map((group) => group.toString(16))
  return { address: written.join(':'), network: `${written.slice(0, 4).join(':')}::/64` }
}

const ofIPv4 = (bytes: readonly number[]): NetworkOrigin => ({
  address: bytes.join('.'),
  network: `${bytes.slice(0, 3).join('.')}.0/24`,
})

/** The eight groups of an IPv6 address, whatever it leaves out. */
function groupsOf(address: string): number[] {
  // The URL parser writes a dotted end as two groups.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [start = '', end] = plain.split('::')
  const head = readGroups(start)
  if (end === undefined) return head
  const tail = readGroups(end)
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

const readGroups = (text: string) =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
