import type { LeaveOut } from './left-out.js'
import { locationSchema, profileSchema, type Profile } from './profile.js'
import { readProfileProperties } from './properties.js'

const attributeNames = Object.keys(profileSchema.omit({ location: true, properties: true }).shape)
const locationNames = Object.keys(locationSchema.shape)

/** What the store's own code says of an account. What is not part of a profile is left out. */
export function readAccountProfile(answer: unknown, leaveOut: LeaveOut): Profile {
  const { location, properties, ...attributes } = membersOf(answer, { field: 'account', leaveOut })
  const ofLocation = { field: 'account[location]', leaveOut }
  const ofProperties = { field: 'account[properties]', leaveOut }
  return {
    ...textsOf(attributes, attributeNames, { field: 'account', leaveOut }),
    ...filled('location', textsOf(membersOf(location, ofLocation), locationNames, ofLocation)),
    ...filled(
      'properties',
      readProfileProperties(membersOf(properties, ofProperties), ofProperties),
    ),
  }
}

interface Place {
  field: string
  leaveOut: LeaveOut
}

const filled = (name: 'location' | 'properties', members: object): Profile =>
  Object.keys(members).length === 0 ? {} : { [name]: members }

function membersOf(value: unknown, { field, leaveOut }: Place): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  if (value !== undefined) leaveOut(field, 'without names')
  return {}
}

function textsOf(
  members: Record<string, unknown>,
  names: readonly string[],
  { field, leaveOut }: Place,
): Record<string, string> {
  const texts: [string, string][] = []
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === 'string' && names.includes(name)) texts.push([name, value])
    else if (value !== undefined) leaveOut(`${field}[${name}]`, 'not a text that a profile has')
  }
  return Object.fromEntries(texts)
}
