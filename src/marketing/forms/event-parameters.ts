import type { ParameterTree } from '../../core/http/parameters.js'
import type { LeaveOut } from '../klaviyo/left-out.js'
import { presentValues } from '../events/property-values.js'
import { messageLimits } from '../klaviyo/limits.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import type { MarketingEvent } from '../klaviyo/message.js'
import type { Properties, JsonValue } from '../klaviyo/profile.js'
import { membersOf, readProperties, type Members } from '../klaviyo/properties.js'
import { postedText, readNumber, readPosted } from './posted-text.js'
import { DateTime } from 'luxon'
import { hashOf } from '../../core/signing.js'
import { parseUrl } from '../../core/http/public-origin.js'

export interface PostedEvent extends Omit<MarketingEvent, 'uniqueId'> {
  /** Undefined: the event gets an id of its own. */
  uniqueId: string | undefined
  /** The order whose details are sent in place of properties; undefined for any other event. */
  order: PostedOrder | undefined
}

export interface PostedOrder {
  number: string | undefined
  id: string | undefined
  /** Which parameter names it. `cart` means the current cart, because no parameter does. */
  askedBy: 'number' | 'id' | 'cart'
  /** False when the number or id cannot be read. */
  isReadable: boolean
}

export interface EventRules extends Pick<MarketingSettings, 'eventPrefix' | 'allowedEvents'> {
  now: Date
  /** IANA name of the timezone for timestamps without an offset. */
  timezone: string
  /** The only origins that links in properties may lead to. */
  ownOrigins: ReadonlySet<string>
  /** Whether the store makes order numbers of its own, which may look like anything. */
  hasOwnNumbers: boolean
  leaveOut: LeaveOut
}

/** Every other key is a property. */
const reserved = new Set([
  'name',
  'unique_id',
  'value',
  'value_currency',
  'timestamp',
  'trackOrder',
  'orderNumber',
  'orderId',
])

const currencyCode = /^[A-Z]{3}$/

/**
 * `docs/interface.md` (Event). Undefined when the post has no event, or its name cannot be used. Any other value that
 * cannot be read is left out, and the event is tracked.
 */
export function readEvent(tree: ParameterTree, rules: EventRules): PostedEvent | undefined {
  const { leaveOut } = rules
  const members = membersOf(tree.event, 'event', leaveOut)
  const name = readName(members.name, rules)
  if (name === undefined) return undefined
  const order = readOrder(members, leaveOut)
  return {
    name,
    uniqueId: readUniqueId(members.unique_id, rules),
    ...presentValues({
      time: readTime(members.timestamp, rules),
      value: readValue(members.value, leaveOut),
      valueCurrency: readCurrency(members.value_currency, leaveOut),
    }),
    properties: order ? {} : readEventProperties(members, rules),
    order,
  }
}

function readEventProperties(members: Members, rules: EventRules): Properties {
  const { ownOrigins, leaveOut } = rules
  const read = readProperties(members, { field: 'event', except: reserved, leaveOut })
  const properties = withOwnLinks(read, { ownOrigins, leaveOut })
  // Klaviyo's older name for the unique id.
  const { $event_id: id } = properties
  return typeof id === 'string' ? { ...properties, $event_id: formUniqueId(id, rules) } : properties
}

function readName(
  posted: unknown,
  { eventPrefix, allowedEvents, leaveOut }: EventRules,
): string | undefined {
  const field = 'event[name]'
  const bare = postedText(posted, field, leaveOut)
  if (bare === undefined) return undefined
  if (allowedEvents.length > 0 && !allowedEvents.includes(bare)) {
    leaveOut(field, 'not among the event names that the settings allow')
    return undefined
  }
  const name = eventPrefix === '' ? bare : `${eventPrefix} ${bare}`
  if (name.length < messageLimits.eventNameLength) return name
  leaveOut(field, `not shorter than ${messageLimits.eventNameLength} characters with the prefix`)
  return undefined
}

function readUniqueId(posted: unknown, rules: EventRules): string | undefined {
  const isPosted = postedText(posted, 'event[unique_id]', rules.leaveOut) !== undefined
  return isPosted ? formUniqueId(String(posted), rules) : undefined
}

const readTime = (value: unknown, rules: EventRules) =>
  readPosted(value, 'event[timestamp]', {
    read: (text) => readEventTime(text, rules),
    reason: 'not an ISO 8601 date from 1990 to a year ahead',
    leaveOut: rules.leaveOut,
  })

const readValue = (value: unknown, leaveOut: LeaveOut) =>
  readPosted(value, 'event[value]', { read: readNumber, reason: 'not a number', leaveOut })

function readCurrency(posted: unknown, leaveOut: LeaveOut): string | undefined {
  if (typeof posted === 'string' && currencyCode.test(posted)) return posted
  if (posted !== undefined && posted !== '') {
    leaveOut('event[value_currency]', 'not three capital letters')
  }
  return undefined
}

function readOrder(members: Members, leaveOut: LeaveOut): PostedOrder | undefined {
  if (members.trackOrder === undefined) return undefined
  const number = postedText(members.orderNumber, 'event[orderNumber]', leaveOut)
  const id = postedText(members.orderId, 'event[orderId]', leaveOut)
  const isNamed = (value: unknown) =>
    typeof value === 'object' ? value !== null : String(value ?? '').trim() !== ''
  const askedBy = isNamed(members.orderNumber) ? 'number' : isNamed(members.orderId) ? 'id' : 'cart'
  const name = askedBy === 'number' ? number : id
  return { number, id, askedBy, isReadable: askedBy === 'cart' || name !== undefined }
}

const prefix = 'form:'

/** The longest id that is sent as it is. */
const idLength = 255

/**
 * Ids of the shop's own events (`order-ids.ts`) begin with an order's number, which is hex digits, or its
 * id, and then end or have a colon. A long id is sent as its digest, which has 43 characters.
 */
const looksLikeShopId = /^(?:[\da-f-]*(?::|$)|form:|[\w-]{43}$)/i

/** Invisible characters, which a database or Klaviyo may drop. */
const unseen = /[^\p{L}\p{N}\p{P}\p{S}]/gu

/**
 * An id that an event of the shop itself could have gets a prefix that the shop never uses: Klaviyo would take the
 * shop's event for a repeat of the form's.
 */
function formUniqueId(posted: string, { hasOwnNumbers }: EventRules): string {
  const isFree =
    !hasOwnNumbers &&
    posted.length <= idLength &&
    !looksLikeShopId.test(posted.normalize('NFKC').replaceAll(unseen, ''))
  if (isFree) return posted
  const id = prefix + posted
  return id.length <= idLength ? id : prefix + hashOf(posted)
}

/** The longest text that is read; ISO 8601 needs fewer characters for any moment. */
const timeLength = 64

/** Without this check, a time of day alone would be read as a moment of today. */
const startsWithYear = /^\d{4}/

/** In UTC. A text without an offset is in `timezone` (`docs/interface.md` (Event)). */
function readEventTime(text: string, { now, timezone }: EventRules): string | undefined {
  if (text.length > timeLength || !startsWithYear.test(text)) return undefined
  const moment = DateTime.fromISO(text, { zone: timezone }).toUTC()
  if (!moment.isValid || moment.year < 1990) return undefined
  const limit = DateTime.fromJSDate(now, { zone: 'utc' }).plus({ years: 1 })
  return moment > limit ? undefined : moment.toISO()
}

/** Properties of the built-in events that merchants use as links in their mails. */
const linkNames = new Set(['checkouturl', 'trackingurl', 'producturl', 'imageurl'])

const isLink = (name: string): boolean =>
  linkNames.has(
    name
      .normalize('NFKC')
      .replaceAll(/[^a-z]/gi, '')
      .toLowerCase(),
  )

type LinkRules = Pick<EventRules, 'ownOrigins' | 'leaveOut'>

/** Anyone can post a form, and a merchant's mail would send its readers to a link that leads out of the store. */
function withOwnLinks(properties: Properties, rules: LinkRules, field = 'event'): Properties {
  const entries = Object.entries(properties).flatMap(([name, value]): [string, JsonValue][] => {
    const place = `${field}[${name}]`
    if (!isLink(name)) return [[name, linksWithin(value, rules, place)]]
    const url = ownUrl(value, rules.ownOrigins)
    if (url === undefined) rules.leaveOut(place, "not a URL of one of the store's own sites")
    return url === undefined ? [] : [[name, url]]
  })
  return Object.fromEntries(entries)
}

function linksWithin(value: JsonValue, rules: LinkRules, field: string): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return withOwnLinks(value, rules, field)
  return value.map((item, index) => linksWithin(item, rules, `${field}[${index}]`))
}

/** As the URL standard spells it, since others may read another host in the posted text. */
function ownUrl(value: JsonValue, ownOrigins: ReadonlySet<string>): string | undefined {
  const url = typeof value === 'string' ? parseUrl(value) : undefined
  if (url === undefined) return undefined
  const { href, origin, protocol, username, password } = url
  const isPlain = /^https?:$/.test(protocol) && username === '' && password === ''
  return isPlain && ownOrigins.has(origin) ? href : undefined
}
