import * as z from 'zod/mini'
import type { LeaveOut } from './left-out.js'
import { messageLimits } from './limits.js'

/** What a JSON document can hold. */
export type JsonValue =
  null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }

export type Properties = Record<string, JsonValue>

const text = z.exactOptional(z.string())

/** The location of a person (`docs/interface.md` (Profile)). */
export const locationSchema = z.object({
  address1: text,
  address2: text,
  city: text,
  region: text,
  zip: text,
  country: text,
  latitude: text,
  longitude: text,
  timezone: text,
})

export type ProfileLocation = z.infer<typeof locationSchema>

/** A person at Klaviyo. A profile has at least an email, a phone number or an exchange id. */
export interface Profile {
  email?: string
  /** E.164: a plus sign, then digits. */
  phoneNumber?: string
  /**
   * Klaviyo's own id of a visitor (`_kx`), from its link in a mail or its script on the pages. It is the only
   * identifier of a visitor whose email the shop does not know.
   */
  exchangeId?: string
  /** The id of the account, only when the person is logged in: it never comes from a post. */
  externalId?: string
  firstName?: string
  lastName?: string
  organization?: string
  title?: string
  /** IETF BCP 47, such as `de-AT`. */
  locale?: string
  /** URL of a picture. */
  image?: string
  location?: ProfileLocation
  properties?: Properties
}

/** The profile that the store's own code may return. Its properties are read one by one. */
export const profileSchema = z.object({
  email: text,
  phoneNumber: text,
  exchangeId: text,
  externalId: text,
  firstName: text,
  lastName: text,
  organization: text,
  title: text,
  locale: text,
  image: text,
  location: z.exactOptional(locationSchema),
  properties: z.exactOptional(z.record(z.string(), z.unknown())),
} satisfies Record<keyof Profile, z.ZodMiniType>)

/** Merges two profiles. Values of the later one replace those of the earlier one. */
export function mergeProfiles(earlier: Profile, later: Profile): Profile {
  const merged: Profile = { ...earlier, ...later }
  if (earlier.location && later.location) {
    merged.location = { ...earlier.location, ...later.location }
  }
  if (earlier.properties && later.properties) {
    merged.properties = { ...earlier.properties, ...later.properties }
  }
  return merged
}

/** Bytes reserved for Klaviyo's longer names and the brackets around the values. */
const envelopeBytes = 1024

/** Cuts a profile to Klaviyo's limits: identifiers and names are kept first, then the location, then properties. */
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
