import type { LeaveOut } from './left-out.js'
import { platformLimits } from './limits.js'
import type { Profile } from './profile.js'

/** Room for the platform's longer names and the brackets around the values. */
const envelopeBytes = 1024

/**
 * The profile within the platform's bounds for one: identifiers and names first, then where the
 * person is, then properties. What does not fit is left out.
 */
export function boundProfile(profile: Profile, leaveOut: LeaveOut): Profile {
  const bounds = { bytes: platformLimits.profileBytes - envelopeBytes }
  if (isWithin(profile, bounds.bytes)) return profile
  const { location, properties, ...attributes } = profile
  const kept: Profile = keepFitting(attributes, { bounds, field: 'profile', leaveOut })
  if (location !== undefined) {
    kept.location = keepFitting(location, { bounds, field: 'profile[location]', leaveOut })
  }
  if (properties !== undefined) {
    const field = 'profile[properties]'
    const entries = Object.entries(properties)
    if (entries.length > platformLimits.properties) {
      leaveOut(field, `more than ${platformLimits.properties} properties`)
    }
    const few = Object.fromEntries(entries.slice(0, platformLimits.properties))
    kept.properties = keepFitting(few, { bounds, field, leaveOut })
  }
  return kept
}

const isWithin = (profile: Profile, bytes: number) =>
  Object.keys(profile.properties ?? {}).length <= platformLimits.properties &&
  Buffer.byteLength(JSON.stringify(profile)) <= bytes

/** The members that fit into the room that is left, which they use up. */
function keepFitting<Part extends object>(
  part: Part,
  { bounds, field, leaveOut }: { bounds: { bytes: number }; field: string; leaveOut: LeaveOut },
): Part {
  const kept = Object.entries(part).filter(([name, value]) => {
    const bytes = Buffer.byteLength(JSON.stringify({ [name]: value as unknown }))
    if (bytes > bounds.bytes) {
      leaveOut(`${field}[${name}]`, 'the profile would be too large for the platform')
      return false
    }
    bounds.bytes -= bytes
    return true
  })
  return Object.fromEntries(kept) as Part
}
