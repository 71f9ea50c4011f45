import type { LeaveOut } from './left-out.js'
import { platformLimits } from './limits.js'
import type { JsonValue, Properties } from './profile.js'

// Harmless here, but not in everything that may copy a property later.
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype'])

export interface PropertyReading {
  /** Where they were posted: `event`, `profile[properties]`. */
  field: string
  /** Names that are no properties. */
  except?: ReadonlySet<string>
  leaveOut: LeaveOut
}

/** Reads custom properties within the platform's limits; what exceeds them is left out. */
export function readProperties(
  source: Readonly<Record<string, unknown>>,
  { field, except, leaveOut }: PropertyReading,
): Properties {
  const entries = Object.entries(source).filter(([name]) => !except?.has(name))
  const properties = readMembers(entries, { place: field, leaveOut, depth: 1 })
  const [beyond] = properties[platformLimits.properties] ?? []
  if (beyond !== undefined) {
    leaveOut(`${field}[${beyond}]`, `more than ${platformLimits.properties} properties`)
  }
  return Object.fromEntries(properties.slice(0, platformLimits.properties))
}

/** Properties by which the platform knows people, or takes consent, as if they were attributes. */
const reservedName = /^\$(?:id|email|phone_number|anonymous|exchange_id|kx|consent.*)$/is

/** Reads the custom properties of a person, without those that are more than that to the platform. */
export function readProfileProperties(
  source: Readonly<Record<string, unknown>>,
  { field, leaveOut }: Omit<PropertyReading, 'except'>,
): Properties {
  const reserved = new Set(Object.keys(source).filter((name) => reservedName.test(name)))
  for (const name of reserved) leaveOut(`${field}[${name}]`, "one of the platform's own names")
  return readProperties(source, { field, except: reserved, leaveOut })
}

interface Reading {
  place: string
  leaveOut: LeaveOut
  depth: number
}

function readMembers(entries: [string, unknown][], reading: Reading): [string, JsonValue][] {
  return entries.flatMap(([name, item]) => {
    const own = { ...reading, place: `${reading.place}[${name}]` }
    const value = isGoodName(name, own) ? readValue(item, own) : undefined
    return value === undefined ? [] : [[name, value]]
  })
}

function readValue(value: unknown, reading: Reading): JsonValue | undefined {
  const { place, leaveOut, depth } = reading
  if (depth > platformLimits.depth) {
    leaveOut(place, `nested deeper than ${platformLimits.depth} levels`)
    return undefined
  }
  switch (typeof value) {
    case 'string':
      if (isShortText(value)) return value
      leaveOut(place, longText)
      return undefined
    case 'number':
      return Number.isFinite(value) ? value : undefined
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : readNested(value, { ...reading, depth: depth + 1 })
    default:
      return undefined
  }
}

function readNested(value: object, reading: Reading): JsonValue {
  if (!Array.isArray(value)) return Object.fromEntries(readMembers(Object.entries(value), reading))
  const { place, leaveOut } = reading
  if (value.length > platformLimits.arrayItems) {
    leaveOut(place, `more than ${platformLimits.arrayItems} items`)
  }
  return value
    .slice(0, platformLimits.arrayItems)
    .map((item: unknown, index) => readValue(item, { ...reading, place: `${place}[${index}]` }))
    .filter((item) => item !== undefined)
}

function isGoodName(name: string, { place, leaveOut }: Reading): boolean {
  const isGood = name.trim() !== '' && !forbiddenNames.has(name) && isShortText(name)
  if (!isGood) leaveOut(place, 'not a name for a property')
  return isGood
}

/** What is said of a text that the platform would not take. */
export const longText = `longer than ${platformLimits.textBytes} bytes`

/** Whether the platform takes a text of this length. */
export const isShortText = (text: string): boolean =>
  // UTF-8 needs three bytes at most for each unit of UTF-16: most texts need not be counted.
  text.length * 3 <= platformLimits.textBytes || Buffer.byteLength(text) <= platformLimits.textBytes
