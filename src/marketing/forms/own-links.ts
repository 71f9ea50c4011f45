import type { LeaveOut } from '../klaviyo/left-out.js'
import type { JsonValue, Properties } from '../klaviyo/profile.js'
import { parseUrl } from '../../core/http/parse-url.js'

/** Properties of the built-in events that merchants use as links in their mails. */
const linkNames = new Set(['checkouturl', 'trackingurl', 'producturl', 'imageurl'])

const isLink = (name: string): boolean =>
  linkNames.has(
    name
      .normalize('NFKC')
      .replaceAll(/[^a-z]/gi, '')
      .toLowerCase(),
  )

interface LinkReading {
  /** The origins of the store's sites. */
  ownOrigins: ReadonlySet<string>
  leaveOut: LeaveOut
}

/**
 * Leaves out links that lead out of the store. Anyone can post a form, and a merchant's mail would send
 * its readers to the posted link.
 */
export function withOwnLinks(
  properties: Properties,
  reading: LinkReading,
  field = 'event',
): Properties {
  const entries = Object.entries(properties).flatMap(([name, value]): [string, JsonValue][] => {
    const place = `${field}[${name}]`
    if (!isLink(name)) return [[name, below(value, reading, place)]]
    const url = ownUrl(value, reading.ownOrigins)
    if (url === undefined) reading.leaveOut(place, "not a URL of one of the store's own sites")
    return url === undefined ? [] : [[name, url]]
  })
  return Object.fromEntries(entries)
}

function below(value: JsonValue, reading: LinkReading, field: string): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return withOwnLinks(value, reading, field)
  return value.map((item, index) => below(item, reading, `${field}[${index}]`))
}

/** Returns the URL as the URL standard spells it, since others may read another host in the posted text. */
function ownUrl(value: JsonValue, ownOrigins: ReadonlySet<string>): string | undefined {
  const url = typeof value === 'string' ? parseUrl(value) : undefined
  if (url === undefined) return undefined
  const { href, origin, protocol, username, password } = url
  const isPlain = /^https?:$/.test(protocol) && username === '' && password === ''
  return isPlain && ownOrigins.has(origin) ? href : undefined
}
