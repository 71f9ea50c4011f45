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
  const properties: [string, JsonValue][] = []
  for (const [name, item] of Object.entries(source)) {
    if (except?.has(name)) continue
    const place = `${field}[${name}]`
    if (properties.length === platformLimits.properties) {
      leaveOut(place, `more than ${platformLimits.properties} properties`)
      break
    }
    const value = isGoodName(name, place, leaveOut)
      ? readValue(item, { place, leaveOut })
      : undefined
    if (value !== undefined) properties.push([name, value])
  }
  return Object.fromEntries(properties)
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

function readValue(
  value: unknown,
  { place, leaveOut, depth = 1 }: { place: string; leaveOut: LeaveOut; depth?: number },
): JsonValue | undefined {
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
      return value === null ? null : readNested(value, { place, leaveOut, depth: depth + 1 })
    default:
      return undefined
  }
}

function readNested(
  value: object,
  { place, leaveOut, depth }: { place: string; leaveOut: LeaveOut; depth: number },
): JsonValue {
  const read = (item: unknown, name: string | number) =>
    readValue(item, { place: `${place}[${name}]`, leaveOut, depth })
  if (Array.isArray(value)) {
    if (value.length > platformLimits.arrayItems) {
      leaveOut(place, `more than ${platformLimits.arrayItems} items`)
    }
    return value
      .slice(0, platformLimits.arrayItems)
      .map((item: unknown, index) => read(item, index))
      .filter((item) => item !== undefined)
  }
  const entries = Object.entries(value)
    .filter(([name]) => isGoodName(name, `${place}[${name}]`, leaveOut))
    .map(([name, item]) => [name, read(item, name)] as const)
    .filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined)
  return Object.fromEntries(entries)
}

function isGoodName(name: string, place: string, leaveOut: LeaveOut): boolean {
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
