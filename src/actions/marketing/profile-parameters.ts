import type { ParameterTree } from '../../http/parameters.js'
import { readEmail } from '../../marketing/email.js'
import type { LeaveOut } from '../../marketing/left-out.js'
import { readPhoneNumber } from '../../marketing/phone-number.js'
import { readProfileProperties } from '../../marketing/properties.js'
import type { Profile } from '../../marketing/profile.js'
import { readLocation } from './location-parameters.js'
import { postedMembers, postedText } from './posted-text.js'

/** How one attribute is read; `reason` says why a text that cannot be read is left out. */
interface Attribute {
  as: Exclude<keyof Profile, 'externalId' | 'location' | 'properties'>
  read(text: string): string | undefined
  reason: string
}

const anyText = { read: (text: string) => text, reason: '' }

const emailAttribute: Attribute = { as: 'email', read: readEmail, reason: 'not a valid email' }

/** The attributes that a post may set. Identifiers and consent are none of them. */
const attributes = new Map<string, Attribute>([
  ['email', emailAttribute],
  [
    'phone_number',
    {
      as: 'phoneNumber',
      read: readPhoneNumber,
      reason: 'not a phone number in international format',
    },
  ],
  ['first_name', { as: 'firstName', ...anyText }],
  ['last_name', { as: 'lastName', ...anyText }],
  ['organization', { as: 'organization', ...anyText }],
  ['title', { as: 'title', ...anyText }],
  ['locale', { as: 'locale', read: readLanguageTag, reason: 'not a language tag such as de-AT' }],
  ['image', { as: 'image', read: readWebAddress, reason: 'not an http(s) URL' }],
])

/** Reads what a post says of a person (`interface.md`, Profile parameters). */
export function readProfile(tree: ParameterTree, leaveOut: LeaveOut): Profile {
  const members = Object.entries(postedMembers(tree.profile, 'profile', leaveOut) ?? {})
  const profile: Profile = {}
  for (const [name, value] of members) {
    const attribute = attributes.get(name)
    if (name === 'location') Object.assign(profile, readLocation(value, leaveOut))
    else if (name === 'properties') Object.assign(profile, readPostedProperties(value, leaveOut))
    else if (attribute !== undefined) {
      Object.assign(
        profile,
        readAttribute(value, { field: `profile[${name}]`, attribute, leaveOut }),
      )
    } else leaveOut(`profile[${name}]`, 'not an attribute that a post may set')
  }
  if (profile.email !== undefined) return profile
  const email = readAttribute(tree.email, { field: 'email', attribute: emailAttribute, leaveOut })
  return { ...profile, ...email }
}

function readAttribute(
  value: unknown,
  { field, attribute, leaveOut }: { field: string; attribute: Attribute; leaveOut: LeaveOut },
): Pick<Profile, Attribute['as']> {
  const text = postedText(value, field, leaveOut)
  if (text === undefined) return {}
  const read = attribute.read(text)
  if (read === undefined) leaveOut(field, attribute.reason)
  return read === undefined ? {} : { [attribute.as]: read }
}

/** An empty field says nothing of a person: it must not empty what the platform has. */
function readPostedProperties(value: unknown, leaveOut: LeaveOut): Pick<Profile, 'properties'> {
  const field = 'profile[properties]'
  const members = Object.entries(postedMembers(value, field, leaveOut) ?? {})
  const filled = members.filter(([, item]) => typeof item !== 'string' || item.trim() !== '')
  const properties = readProfileProperties(Object.fromEntries(filled), { field, leaveOut })
  return Object.keys(properties).length === 0 ? {} : { properties }
}

function readLanguageTag(text: string): string | undefined {
  try {
    return new Intl.Locale(text).toString()
  } catch {
    return undefined
  }
}

function readWebAddress(text: string): string | undefined {
  return URL.canParse(text) && /^https?:/i.test(text) ? text : undefined
}
