import { isIPv4, isIPv6 } from 'node:net'

/** The proxies in front of the shop, and the header in which they send the client IP. */
export interface TrustProxy {
  /** A header such as `x-forwarded-for`. Your proxy must set it or add to it on every request. */
  header: string
  /** How many of your proxies add an address to the header. Default: 1. */
  proxies?: number
}

/**
 * The client IP that the outermost trusted proxy saw, counted from the end, as a client can write anything at
 * the beginning.
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

/** An address in one spelling, and its network. */
interface NetworkOrigin {
  address: string
  /** The /24 of an IPv4 address, or the /64 of an IPv6 address, which one subscriber commonly has. */
  network: string
}

/** Reads an IP address; undefined for any other text. An IPv4 address written as IPv6 becomes IPv4. */
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

/** Names one client for counting: by its IPv6 network, since one subscriber has endless IPv6 addresses. */
export function clientName(text: string): string {
  const origin = networkOrigin(text)
  if (origin === undefined) return text
  return isIPv4(origin.address) ? origin.address : origin.network
}

const ofIPv4 = (bytes: readonly number[]): NetworkOrigin => ({
  address: bytes.join('.'),
  network: `${bytes.slice(0, 3).join('.')}.0/24`,
})

/** The eight groups of an IPv6 address, also where `::` leaves some out. */
function groupsOf(address: string): number[] {
  // The URL parser rewrites an end such as `192.0.2.1` as two groups.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [start = '', end] = plain.split('::')
  const head = readGroups(start)
  if (end === undefined) return head
  const tail = readGroups(end)
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

const readGroups = (text: string) =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
