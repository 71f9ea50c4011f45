import type { LeaveOut } from '../../marketing/left-out.js'
import type { Profile, ProfileLocation } from '../../marketing/profile.js'
import { readNumber } from './posted-number.js'
import { postedMembers, postedText } from './posted-text.js'

const locationNames = [
  'address1',
  'address2',
  'city',
  'region',
  'zip',
  'country',
  'latitude',
  'longitude',
  'timezone',
] as const satisfies readonly (keyof ProfileLocation)[]

const isLocationName = (name: string): name is keyof ProfileLocation =>
  locationNames.some((known) => known === name)

/** Degrees from the equator and from Greenwich. */
const degrees: { readonly [Name in keyof ProfileLocation]?: number } = {
  latitude: 90,
  longitude: 180,
}

/** Reads `profile[location][…]`: the keys of the platform's profile attributes. */
export function readLocation(value: unknown, leaveOut: LeaveOut): Pick<Profile, 'location'> {
  const location: ProfileLocation = {}
  const members = postedMembers(value, 'profile[location]', leaveOut) ?? {}
  for (const [name, item] of Object.entries(members)) {
    const field = `profile[location][${name}]`
    if (!isLocationName(name)) {
      leaveOut(field, 'not part of a location')
      continue
    }
    const text = postedText(item, field, leaveOut)
    const limit = degrees[name]
    if (text === undefined) continue
    if (limit !== undefined && !isWithin(text, limit)) {
      leaveOut(field, `not a number from -${limit} to ${limit}`)
    } else location[name] = text
  }
  return Object.keys(location).length === 0 ? {} : { location }
}

function isWithin(text: string, limit: number): boolean {
  const number = readNumber(text)
  return number !== undefined && Math.abs(number) <= limit
}
