import type { LeaveOut } from './left-out.js'
import { locationSchema, profileSchema, type Profile } from './profile.js'
import { readProfileProperties } from './properties.js'

const attributeNames = Object.keys(profileSchema.omit({ location: true, properties: true }).shape)
const locationNames = Object.keys(locationSchema.shape)

/** What the store's own code says of an account. What is not part of a profile is left out. */
export function readAccountProfile(answer: unknown, leaveOut: LeaveOut): Profile {
  const membersOf = (value: unknown, field: string): Record<string, unknown> => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
    if (value !== undefined) leaveOut(field, 'without names')
    return {}
  }
  const textsOf = (members: object, names: readonly string[], field: string) =>
    Object.fromEntries(
      Object.entries(members).filter(([name, value]) => {
        const isText = typeof value === 'string' && names.includes(name)
        if (!isText && value !== undefined) {
          leaveOut(`${field}[${name}]`, 'not a text that a profile has')
        }
        return isText
      }),
    )

  const { location, properties, ...attributes } = membersOf(answer, 'account')
  const field = 'account[properties]'
  return {
    ...textsOf(attributes, attributeNames, 'account'),
    ...filled({
      location: textsOf(
        membersOf(location, 'account[location]'),
        locationNames,
        'account[location]',
      ),
      properties: readProfileProperties(membersOf(properties, field), { field, leaveOut }),
    }),
  }
}

const filled = (parts: Record<string, object>): Profile =>
  Object.fromEntries(Object.entries(parts).filter(([, members]) => Object.keys(members).length > 0))
