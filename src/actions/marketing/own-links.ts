import type { LeaveOut } from '../../marketing/left-out.js'
import type { JsonValue, Properties } from '../../marketing/profile.js'

/** What merchants link to in their mails, as the built-in events carry it. */
const linkNames = new Set(['checkouturl', 'trackingurl', 'producturl', 'imageurl'])

const isLink = (name: string): boolean =>
  linkNames.has(
    name
      .normalize('NFKC')
      .replaceAll(/[^a-z]/gi, '')
      .toLowerCase(),
  )

interface LinkReading {
  /** Of the store's sites. */
  ownOrigins: ReadonlySet<string>
  leaveOut: LeaveOut
}

/**
 * A form's properties without links that lead out of the store: a merchant's mail would send people
 * wherever whoever posted them likes.
 */
export const withOwnLinks = (properties: Properties, reading: LinkReading): Properties =>
  linksOf(properties, 'event', reading)

function linksOf(properties: Properties, field: string, reading: LinkReading): Properties {
  const entries = Object.entries(properties).flatMap(([name, value]): [string, JsonValue][] => {
    const place = `${field}[${name}]`
    if (!isLink(name)) return [[name, below(value, place, reading)]]
    const url = ownUrl(value, reading.ownOrigins)
    if (url === undefined) reading.leaveOut(place, "not a URL of one of the store's own sites")
    return url === undefined ? [] : [[name, url]]
  })
  return Object.fromEntries(entries)
}

function below(value: JsonValue, field: string, reading: LinkReading): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return linksOf(value, field, reading)
  return value.map((item, index) => below(item, `${field}[${index}]`, reading))
}

/** As the URL standard writes it: other readers may find another host in what was posted. */
function ownUrl(value: JsonValue, ownOrigins: ReadonlySet<string>): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  const { href, origin, protocol, username, password } = new URL(value)
  const isPlain = /^https?:$/.test(protocol) && username === '' && password === ''
  return isPlain && ownOrigins.has(origin) ? href : undefined
}
