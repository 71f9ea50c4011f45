import type { LeaveOut } from './left-out.js'
import { messageLimits } from './limits.js'
import type { JsonValue, Properties } from './profile.js'

// These names are harmless here, but not in all code that may copy a property later.
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype'])

export type Members = Readonly<Record<string, unknown>>

/** The members of a group such as `profile[…]`, by name. Anything but an object has none. */
export function membersOf(value: unknown, field: string, leaveOut: LeaveOut): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
  if (value !== undefined && value !== null && value !== '') leaveOut(field, 'without names')
  return {}
}

interface PropertyRules {
  /** Where the properties were posted, such as `event` or `profile[properties]`. */
  field: string
  /** Names that are not properties. */
  except?: ReadonlySet<string>
  leaveOut: LeaveOut
}

/** Values beyond Klaviyo's limits are left out. */
export function readProperties(
  source: Members,
  { field, except, leaveOut }: PropertyRules,
): Properties {
  const entries = Object.entries(source).filter(([name]) => !except?.has(name))
  const properties = readMembers(entries, { path: field, leaveOut, depth: 1 })
  const [beyond] = properties[messageLimits.properties] ?? []
  if (beyond !== undefined) {
    leaveOut(`${field}[${beyond}]`, `more than ${messageLimits.properties} properties`)
  }
  return Object.fromEntries(properties.slice(0, messageLimits.properties))
}

/** Properties that Klaviyo treats as identifiers or as consent. */
const reservedName = /^\$(?:id|email|phone_number|anonymous|exchange_id|kx|consent.*)$/is

/** Leaves out what has a special meaning to Klaviyo. */
export function readProfileProperties(
  source: Members,
  { field, leaveOut }: Omit<PropertyRules, 'except'>,
): Properties {
  const reserved = new Set(Object.keys(source).filter((name) => reservedName.test(name)))
  for (const name of reserved) leaveOut(`${field}[${name}]`, "one of Klaviyo's own names")
  return readProperties(source, { field, except: reserved, leaveOut })
}

interface PropertyPlace {
  path: string
  leaveOut: LeaveOut
  depth: number
}

function readMembers(entries: [string, unknown][], place: PropertyPlace): [string, JsonValue][] {
  return entries.flatMap(([name, item]) => {
    const own = { ...place, path: `${place.path}[${name}]` }
    const value = isGoodName(name, own) ? readValue(item, own) : undefined
    return value === undefined ? [] : [[name, value]]
  })
}

function readValue(value: unknown, place: PropertyPlace): JsonValue | undefined {
  const { path, leaveOut, depth } = place
  if (depth > messageLimits.depth) {
    leaveOut(path, `nested deeper than ${messageLimits.depth} levels`)
    return undefined
  }
  switch (typeof value) {
    case 'string':
      if (isShortText(value)) return value
      leaveOut(path, longText)
      return undefined
    case 'number':
      return Number.isFinite(value) ? value : undefined
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : readNested(value, { ...place, depth: depth + 1 })
    default:
      return undefined
  }
}

function readNested(value: object, place: PropertyPlace): JsonValue {
  if (!Array.isArray(value)) return Object.fromEntries(readMembers(Object.entries(value), place))
  const { path, leaveOut } = place
  if (value.length > messageLimits.arrayItems) {
    leaveOut(path, `more than ${messageLimits.arrayItems} items`)
  }
  return value
    .slice(0, messageLimits.arrayItems)
    .map((item: unknown, index) => readValue(item, { ...place, path: `${path}[${index}]` }))
    .filter((item) => item !== undefined)
}

function isGoodName(name: string, { path, leaveOut }: PropertyPlace): boolean {
  const isGood = name.trim() !== '' && !forbiddenNames.has(name) && isShortText(name)
  if (!isGood) leaveOut(path, 'not a name for a property')
  return isGood
}

export const longText = `longer than ${messageLimits.textBytes} bytes`

export const isShortText = (text: string): boolean =>
  // UTF-8 needs at most three bytes for each unit of UTF-16, so most texts need no counting.
  text.length * 3 <= messageLimits.textBytes || Buffer.byteLength(text) <= messageLimits.textBytes
