import { z } from 'zod'

/** What a JSON document can hold. */
export type JsonValue =
  null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }

export type Properties = Record<string, JsonValue>

const text = z.string().exactOptional()

/** Where a person is (`decisions.md`, Marketing: profile attributes). */
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

/** Their values are read one by one. */
const properties = z.custom<Properties>(
  (value) => z.record(z.string(), z.unknown()).safeParse(value).success,
)

/** A person, as the marketing platform is told. At least one of email and phone number is there. */
export const profileSchema = z.object({
  email: text,
  /** E.164: a plus sign, then digits. */
  phoneNumber: text,
  /** The account's id, and only of an account that is logged in: never from a post. */
  externalId: text,
  firstName: text,
  lastName: text,
  organization: text,
  title: text,
  /** IETF BCP 47, such as `de-AT`. */
  locale: text,
  /** URL of a picture. */
  image: text,
  location: locationSchema.exactOptional(),
  properties: properties.exactOptional(),
})

export type Profile = z.infer<typeof profileSchema>

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
