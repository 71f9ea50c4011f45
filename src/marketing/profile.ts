import { z } from 'zod'

/** What a JSON document can hold. */
export type JsonValue =
  null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }

export type Properties = Record<string, JsonValue>

/** Where a person is (`decisions.md`, Marketing: profile attributes). */
export interface ProfileLocation {
  address1?: string
  address2?: string
  city?: string
  region?: string
  zip?: string
  country?: string
  latitude?: string
  longitude?: string
  timezone?: string
}

/** A person, as the marketing platform is told. At least one of email and phone number is there. */
export interface Profile {
  email?: string
  /** E.164: a plus sign, then digits. */
  phoneNumber?: string
  /** The account's id, and only of an account that is logged in: never from a post. */
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

const text = z.string().exactOptional()

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
} satisfies Record<keyof ProfileLocation, z.ZodType>)

/** As the store's own code may give it. Properties are read one by one. */
export const profileSchema = z.object({
  email: text,
  phoneNumber: text,
  externalId: text,
  firstName: text,
  lastName: text,
  organization: text,
  title: text,
  locale: text,
  image: text,
  location: locationSchema.exactOptional(),
  properties: z.record(z.string(), z.unknown()).exactOptional(),
} satisfies Record<keyof Profile, z.ZodType>)

/** Says whose sends have to keep their order: the email in lower case, else the phone number. */
export function profileKey({ email, phoneNumber }: Profile): string {
  if (email !== undefined) return `email:${email.toLowerCase()}`
  if (phoneNumber !== undefined) return `phone:${phoneNumber}`
  throw new TypeError('A profile needs an email or a phone number.')
}

/** The earlier profile with everything that the later one says. */
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
