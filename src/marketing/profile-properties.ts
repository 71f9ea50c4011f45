import type { LeaveOut } from './left-out.js'
import type { Properties } from './profile.js'
import { readProperties } from './properties.js'

/** Properties by which the platform knows people, or takes consent, as if they were attributes. */
const reservedName = /^\$(?:id|email|phone_number|anonymous|exchange_id|kx|consent.*)$/is

/** Reads the custom properties of a person, without those that are more than that to the platform. */
export function readProfileProperties(
  source: Readonly<Record<string, unknown>>,
  { field, leaveOut }: { field: string; leaveOut: LeaveOut },
): Properties {
  const reserved = new Set(Object.keys(source).filter((name) => reservedName.test(name)))
  for (const name of reserved) leaveOut(`${field}[${name}]`, "one of the platform's own names")
  return readProperties(source, { field, except: reserved, leaveOut })
}
