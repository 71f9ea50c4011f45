import {
  both,
  fine,
  isObject,
  list,
  nullable,
  object,
  properties,
  wrong,
  type Check,
} from '../check.ts'
import { data, job, reference, resource } from './document.ts'
import { anyText, email, isFilled, phoneNumber } from './fields.ts'

const coordinate: Check = nullable((value) =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
    ? fine
    : wrong('Must be a string or a number.'),
)

const location = object({
  resource: 'location',
  fields: {
    address1: anyText,
    address2: anyText,
    city: anyText,
    country: anyText,
    latitude: coordinate,
    longitude: coordinate,
    region: anyText,
    zip: anyText,
    timezone: anyText,
    ip: anyText,
  },
})

const textOrTexts: Check = (value) =>
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
    ? fine
    : wrong('Must be a string or an array of strings.')

const profileMeta = object({
  resource: 'meta',
  fields: {
    patch_properties: object({
      resource: 'patch_properties',
      fields: {
        append: nullable(properties()),
        unappend: nullable(properties()),
        unset: nullable(textOrTexts),
      },
    }),
    patch_identifiers: object({
      resource: 'patch_identifiers',
      fields: { append: properties(), unappend: properties() },
    }),
  },
})

const profileFields = {
  email,
  phone_number: phoneNumber,
  external_id: anyText,
  _kx: anyText,
  first_name: anyText,
  last_name: anyText,
  organization: anyText,
  locale: anyText,
  title: anyText,
  image: anyText,
  location,
  properties: nullable(properties()),
}

/** `meta` stands beside the attributes, except in a single event, where it is one of them. */
const eventProfileAttributes = object({
  resource: 'profile',
  fields: { ...profileFields, anonymous_id: anyText, meta: profileMeta },
})

const bulkEventProfileAttributes = object({
  resource: 'profile',
  fields: { ...profileFields, anonymous_id: anyText },
})

const savedProfileAttributes = object({ resource: 'profile', fields: profileFields })

const IDENTIFIERS = ['email', 'phone_number', 'external_id', 'anonymous_id', '_kx']

/** A profile that nothing identifies could never be found again. */
const identified: Check = (profile) => {
  if (!isObject(profile)) return fine
  const { id, attributes } = profile
  if (isFilled(id)) return fine
  return isObject(attributes) && IDENTIFIERS.some((name) => isFilled(attributes[name]))
    ? fine
    : wrong(
        `One of these identifier fields must be included: id, ${IDENTIFIERS.join(', ')}.`,
        '/attributes',
      )
}

export const eventProfile = both(
  resource('profile', {
    required: ['attributes'],
    fields: { id: anyText, attributes: eventProfileAttributes },
  }),
  identified,
)

export const bulkEventProfile = both(
  resource('profile', {
    required: ['attributes'],
    fields: { id: anyText, attributes: bulkEventProfileAttributes, meta: profileMeta },
  }),
  identified,
)

const savedProfile = both(
  resource('profile', {
    required: ['attributes'],
    fields: { id: anyText, attributes: savedProfileAttributes, meta: profileMeta },
  }),
  identified,
)

/** To create or update one. */
export const profileBody = data(savedProfile)

/** Who is added to a list. */
export const listMembersBody = data(list({ item: reference('profile'), max: 1000, of: 'profiles' }))

/** "If multiple identifiers are provided, we will return an error." */
const oneIdentifier: Check = (profile) => {
  const { id, attributes } = profile as { id?: unknown; attributes?: Record<string, unknown> }
  const given = [id, ...Object.values(attributes ?? {})].filter(isFilled)
  return given.length === 1
    ? fine
    : wrong('Exactly one of these must be included: id, email, phone_number.', '/attributes')
}

/** Who is to be deleted. */
export const deletionBody = job('data-privacy-deletion-job', {
  required: ['profile'],
  fields: {
    profile: data(
      both(
        resource('profile', {
          required: [],
          fields: {
            id: anyText,
            attributes: object({
              resource: 'profile',
              fields: { email, phone_number: phoneNumber },
            }),
          },
        }),
        oneIdentifier,
      ),
    ),
  },
})
