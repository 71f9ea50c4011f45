import type { Profile, ProfileLocation, Properties } from '../marketing/profile.js'

/** A profile's attributes as the platform names them. What is absent stays as it is there. */
export interface ProfileAttributes {
  email?: string
  phone_number?: string
  external_id?: string
  first_name?: string
  last_name?: string
  organization?: string
  title?: string
  locale?: string
  image?: string
  location?: ProfileLocation
  properties?: Properties
}

export interface ProfileResource {
  type: 'profile'
  attributes: ProfileAttributes
}

const attributeNames = {
  email: 'email',
  phoneNumber: 'phone_number',
  externalId: 'external_id',
  firstName: 'first_name',
  lastName: 'last_name',
  organization: 'organization',
  title: 'title',
  locale: 'locale',
  image: 'image',
  location: 'location',
  properties: 'properties',
} as const satisfies Record<keyof Profile, keyof ProfileAttributes>

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

/** Named fields only: whatever else a stored message holds is not sent. */
export function profileResource(profile: Profile): ProfileResource {
  const entries = Object.entries(attributeNames).flatMap(([ours, theirs]) => {
    const value = profile[ours as keyof Profile]
    return value === undefined ? [] : [[theirs, value] as const]
  })
  const attributes: ProfileAttributes = Object.fromEntries(entries)
  if (profile.location !== undefined) attributes.location = locationOf(profile.location)
  return { type: 'profile', attributes }
}

const locationOf = (location: ProfileLocation): ProfileLocation =>
  Object.fromEntries(
    locationNames.flatMap((name) => (location[name] === undefined ? [] : [[name, location[name]]])),
  )

/** Body of `POST /api/profile-import`. */
export const profileBody = (profile: Profile): { data: ProfileResource } => ({
  data: profileResource(profile),
})
