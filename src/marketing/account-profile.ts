import type { LeaveOut } from './left-out.js'
import { readProfileProperties } from './profile-properties.js'
import { locationSchema, profileSchema } from './profile-schema.js'
import type { Profile, ProfileLocation } from './profile.js'

type Members = Readonly<Record<string, unknown>>

const attributeNames = Object.keys(profileSchema.omit({ location: true, properties: true }).shape)
const locationNames = Object.keys(locationSchema.shape)

/** What the store's own code says of an account. What is not part of a profile is left out. */
export function readAccountProfile(answer: unknown, leaveOut: LeaveOut): Profile {
  const { location, properties, ...attributes } = membersOf(answer, 'account', leaveOut)
  return {
    ...textsOf(attributes, attributeNames, { field: 'account', leaveOut }),
    ...readLocation(location, leaveOut),
    ...readProperties(properties, leaveOut),
  }
}

function readLocation(value: unknown, leaveOut: LeaveOut): Pick<Profile, 'location'> {
  const field = 'account[location]'
  const members = membersOf(value, field, leaveOut)
  const location: ProfileLocation = textsOf(members, locationNames, { field, leaveOut })
  return Object.keys(location).length === 0 ? {} : { location }
}

function readProperties(value: unknown, leaveOut: LeaveOut): Pick<Profile, 'properties'> {
  const field = 'account[properties]'
  const members = membersOf(value, field, leaveOut)
  const properties = readProfileProperties(members, { field, leaveOut })
  return Object.keys(properties).length === 0 ? {} : { properties }
}

function membersOf(value: unknown, field: string, leaveOut: LeaveOut): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
  if (value !== undefined) leaveOut(field, 'without names')
  return {}
}

function textsOf(
  members: Members,
  names: readonly string[],
  { field, leaveOut }: { field: string; leaveOut: LeaveOut },
): Record<string, string> {
  const texts: [string, string][] = []
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === 'string' && names.includes(name)) texts.push([name, value])
    else if (value !== undefined) leaveOut(`${field}[${name}]`, 'not a text that a profile has')
  }
  return Object.fromEntries(texts)
}
