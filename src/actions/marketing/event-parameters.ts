import type { ParameterTree } from '../../http/parameters.js'
import type { LeaveOut } from '../../marketing/left-out.js'
import { platformLimits } from '../../marketing/limits.js'
import type { MarketingEvent } from '../../marketing/message.js'
import type { Properties } from '../../marketing/profile.js'
import { readProperties } from '../../marketing/properties.js'
import { readEventTime } from './event-time.js'
import { formUniqueId } from './form-unique-id.js'
import { withOwnLinks } from './own-links.js'
import { readNumber } from './posted-number.js'
import { postedMembers, postedText } from './posted-text.js'

/** An event as a post names it. */
export interface PostedEvent extends Omit<MarketingEvent, 'uniqueId'> {
  /** Undefined: each occurrence is one of its own. */
  uniqueId: string | undefined
  /** The order whose details are sent in place of properties; undefined for any other event. */
  order: PostedOrder | undefined
}

/** Which order. */
export interface PostedOrder {
  number: string | undefined
  id: string | undefined
  /** What it is named by; the current cart where it is not named. */
  askedBy: 'number' | 'id' | 'cart'
  /** False: what names it cannot be read, so that it is not there. */
  isReadable: boolean
}

export interface EventReading {
  now: Date
  /** IANA name; for timestamps without an offset. */
  timezone: string
  /** Put in front of the name, with one space. */
  eventPrefix: string
  /** Names that may be tracked, without the prefix. Empty: any. */
  allowedEvents: readonly string[]
  /** Origins of the store's sites: properties that mails link to lead nowhere else. Default: none. */
  ownOrigins?: ReadonlySet<string>
  /** Whether the store makes order numbers of its own, which may look like anything. Default false. */
  hasOwnNumbers?: boolean
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
 * Reads the event of a post (`interface.md`, Event parameters); undefined when there is none to
 * track. A value that cannot be read is left out, and never keeps the event from being tracked.
 */
export function readEvent(tree: ParameterTree, reading: EventReading): PostedEvent | undefined {
  const { leaveOut } = reading
  const members = postedMembers(tree.event, 'event', leaveOut)
  if (members === undefined) return undefined
  const name = readName(members.name, reading)
  if (name === undefined) return undefined
  const order = readOrder(members, leaveOut)
  return {
    name,
    uniqueId: readUniqueId(members.unique_id, reading),
    ...readTime(members.timestamp, reading),
    ...readValue(members, leaveOut),
    properties: order ? {} : readEventProperties(members, reading),
    order,
  }
}

function readEventProperties(
  members: Readonly<Record<string, unknown>>,
  reading: EventReading,
): Properties {
  const { ownOrigins = new Set(), leaveOut } = reading
  const read = readProperties(members, { field: 'event', except: reserved, leaveOut })
  const properties = withOwnLinks(read, { ownOrigins, leaveOut })
  // The platform's older name for the unique id.
  const { $event_id: id } = properties
  return typeof id === 'string'
    ? { ...properties, $event_id: formUniqueId(id, reading) }
    : properties
}

function readName(
  posted: unknown,
  { eventPrefix, allowedEvents, leaveOut }: EventReading,
): string | undefined {
  const field = 'event[name]'
  const bare = postedText(posted, field, leaveOut)
  if (bare === undefined) return undefined
  if (allowedEvents.length > 0 && !allowedEvents.includes(bare)) {
    leaveOut(field, 'not among the event names that the settings allow')
    return undefined
  }
  const name = eventPrefix === '' ? bare : `${eventPrefix} ${bare}`
  if (name.length < platformLimits.eventNameLength) return name
  leaveOut(field, `not shorter than ${platformLimits.eventNameLength} characters with the prefix`)
  return undefined
}

function readUniqueId(posted: unknown, reading: EventReading): string | undefined {
  const isPosted = postedText(posted, 'event[unique_id]', reading.leaveOut) !== undefined
  return isPosted ? formUniqueId(String(posted), reading) : undefined
}

function readTime(
  posted: unknown,
  { now, timezone, leaveOut }: EventReading,
): Pick<MarketingEvent, 'time'> {
  const text = postedText(posted, 'event[timestamp]', leaveOut)
  if (text === undefined) return {}
  const time = readEventTime(text, { now, timezone })
  if (time !== undefined) return { time }
  leaveOut('event[timestamp]', 'not an ISO 8601 date from 1990 to a year ahead')
  return {}
}

function readValue(
  members: Readonly<Record<string, unknown>>,
  leaveOut: LeaveOut,
): Pick<MarketingEvent, 'value' | 'valueCurrency'> {
  const text = postedText(members.value, 'event[value]', leaveOut)
  const value = text === undefined ? undefined : readNumber(text)
  if (text !== undefined && value === undefined) leaveOut('event[value]', 'not a number')

  const currency = members.value_currency
  const isCode = typeof currency === 'string' && currencyCode.test(currency)
  if (!isCode && currency !== undefined && currency !== '') {
    leaveOut('event[value_currency]', 'not three capital letters')
  }
  return { ...(value !== undefined && { value }), ...(isCode && { valueCurrency: currency }) }
}

function readOrder(
  members: Readonly<Record<string, unknown>>,
  leaveOut: LeaveOut,
): PostedOrder | undefined {
  if (members.trackOrder === undefined) return undefined
  const number = postedText(members.orderNumber, 'event[orderNumber]', leaveOut)
  const id = postedText(members.orderId, 'event[orderId]', leaveOut)
  const isNamed = (value: unknown) =>
    typeof value === 'object' ? value !== null : String(value ?? '').trim() !== ''
  const askedBy = isNamed(members.orderNumber) ? 'number' : isNamed(members.orderId) ? 'id' : 'cart'
  const name = askedBy === 'number' ? number : id
  return { number, id, askedBy, isReadable: askedBy === 'cart' || name !== undefined }
}
