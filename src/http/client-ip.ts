import { isIPv4, isIPv6 } from 'node:net'

/** The proxies in front of the shop, and the header in which they tell who calls. */
export interface TrustProxy {
  /** Such as `x-forwarded-for`. Your proxy must set it or add to it on every request. */
  header: string
  /** How many of your proxies add an address to it, one behind the other. Default: 1. */
  proxies?: number
}

/**
 * The client's address, as the outermost trusted proxy saw it: that many from the end of the list,
 * as a client can write whatever it likes in front. Undefined where the header says less than that.
 */
export function clientIp(
  headers: Headers,
  { header, proxies = 1 }: TrustProxy,
): string | undefined {
  const entry = headers.get(header)?.split(',').at(-proxies)
  return entry === undefined ? undefined : networkOrigin(withoutPort(entry.trim()))?.address
}

/** Some proxies write `192.0.2.1:50712` or `[2001:db8::1]:50712`. */
const withoutPort = (entry: string) => entry.replace(/^(\[.*\]|[\d.]+):\d+$/, '$1')

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

/**
 * What tells one client from another, when each is to have few tries: an IPv4 address, or an IPv6
 * network, as one subscriber has addresses without end. What is no IP address stands for itself.
 */
export function clientName(text: string): string {
  const origin = networkOrigin(text)
  if (origin === undefined) return text
  return isIPv4(origin.address) ? origin.address : origin.network
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
