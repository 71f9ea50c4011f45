import { z } from 'zod'

const text = z.string().exactOptional()

/** Where a person is, as the store's own code may say it. */
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

/** A profile as the store's own code may give it. Properties are read one by one. */
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
})
