import type { LeaveOut } from './left-out.js'
import { messageLimits } from './limits.js'
import type { Profile } from './profile.js'

/** Bytes reserved for Klaviyo's longer names and the brackets around the values. */
const envelopeBytes = 1024

/**
 * Cuts a profile to Klaviyo's limits. Identifiers and names are kept first, then the location,
 * then properties. Values that do not fit are left out.
 */
export function boundProfile(profile: Profile, leaveOut: LeaveOut): Profile {
  const { location, properties = {}, ...attributes } = profile
  const entries = Object.entries(properties)
  let bytesLeft = messageLimits.profileBytes - envelopeBytes
  if (entries.length <= messageLimits.properties && bytesOf(profile) <= bytesLeft) return profile

  /** Keeps the members that fit into the remaining bytes, and uses up those bytes. */
  const fitting = <Part extends object>(part: Part, field: string): Part =>
    Object.fromEntries(
      Object.entries(part).filter(([name, value]) => {
        const bytes = bytesOf({ [name]: value as unknown })
        const fits = bytes <= bytesLeft
        if (fits) bytesLeft -= bytes
        else leaveOut(`${field}[${name}]`, 'the profile would be too large for Klaviyo')
        return fits
      }),
    ) as Part

  const kept: Profile = fitting(attributes, 'profile')
  if (location !== undefined) kept.location = fitting(location, 'profile[location]')
  if (profile.properties !== undefined) {
    const field = 'profile[properties]'
    if (entries.length > messageLimits.properties) {
      leaveOut(field, `more than ${messageLimits.properties} properties`)
    }
    kept.properties = fitting(Object.fromEntries(entries.slice(0, messageLimits.properties)), field)
  }
  return kept
}

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))
