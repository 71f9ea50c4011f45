import { isIPv4, isIPv6 } from 'node:net'

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
