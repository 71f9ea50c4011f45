import { identifiedByEmail } from '../accounts/account-profile.js'
import type { ParameterTree } from '../../core/http/parameters.js'
import { readEmail } from '../../core/people/email.js'
import type { LeaveOut } from '../klaviyo/left-out.js'
import { readPhoneNumber } from '../../core/people/phone-number.js'
import { membersOf, readProfileProperties } from '../klaviyo/properties.js'
import {
  locationSchema,
  mergeProfiles,
  type Profile,
  type ProfileLocation,
  type Properties,
  boundProfile,
} from '../klaviyo/profile.js'
import { postedText, readNumber, readPosted, type TextRules } from './posted-text.js'
import { presentValues } from '../events/property-values.js'
import type { FormVisit, Visitor } from '../../core/http/visit.js'
import { parseUrl } from '../../core/http/public-origin.js'
import type { ReadPost } from './sends-of-post.js'

/** `profile` also has the values of a logged-in visitor's account (`docs/interface.md` (Profile)). */
export async function profileOfPost(
  form: FormVisit,
  {
    profileOf,
    customersSlug,
  }: { profileOf: (visitor: Visitor) => Promise<Profile>; customersSlug: string | undefined },
  leaveOut: LeaveOut,
): Promise<Pick<ReadPost, 'posted' | 'profile' | 'account'>> {
  const posted = readProfile(form.tree, leaveOut)
  const visitor = await form.visitor()
  const account = visitor === undefined ? {} : checkAccount(await profileOf(visitor), leaveOut)
  const isTheirs = visitor?.collection === customersSlug && !namesAnother(account, posted)
  return {
    posted,
    profile: boundProfile(profileToSend(account, posted), leaveOut),
    account: isTheirs ? visitor?.id : undefined,
  }
}

/**
 * The posted values win. When another email was posted, the account's id and phone number are left out: with them,
 * Klaviyo would merge the two profiles.
 */
export function profileToSend(account: Profile, posted: Profile): Profile {
  const own = namesAnother(account, posted) ? identifiedByEmail(account) : account
  return mergeProfiles(own, posted)
}

const namesAnother = (account: Profile, posted: Profile): boolean =>
  posted.email !== undefined && posted.email.toLowerCase() !== account.email?.toLowerCase()

function checkAccount(account: Profile, leaveOut: LeaveOut): Profile {
  const { email: emailText, phoneNumber: phoneText, ...rest } = account
  const email = readEmail(emailText ?? '')
  const phoneNumber = readPhoneNumber(phoneText ?? '')
  if (emailText !== undefined && email === undefined) leaveOut('account email', 'not a valid email')
  if (phoneText !== undefined && phoneNumber === undefined) {
    leaveOut('account phone number', 'not a phone number in international format')
  }
  return { ...rest, ...presentValues({ email, phoneNumber }) }
}

interface Attribute extends Omit<TextRules<string>, 'leaveOut'> {
  as: Exclude<keyof Profile, 'externalId' | 'location' | 'properties'>
}

const anyText = { read: (text: string) => text, reason: '' }

const emailAttribute: Attribute = { as: 'email', read: readEmail, reason: 'not a valid email' }

/** The attributes that a post may set. Ids and consent are not among them. */
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

/** `docs/interface.md` (Profile). */
export function readProfile(tree: ParameterTree, leaveOut: LeaveOut): Profile {
  const members = Object.entries(membersOf(tree.profile, 'profile', leaveOut))
  const profile: { [Name in keyof Profile]: Profile[Name] | undefined } = {}
  for (const [name, value] of members) {
    const field = `profile[${name}]`
    const attribute = attributes.get(name)
    if (name === 'location') profile.location = readLocation(value, leaveOut)
    else if (name === 'properties') profile.properties = readPostedProperties(value, leaveOut)
    else if (attribute === undefined) leaveOut(field, 'not an attribute that a post may set')
    else profile[attribute.as] = readPosted(value, field, { ...attribute, leaveOut })
  }
  profile.email ??= readPosted(tree.email, 'email', { ...emailAttribute, leaveOut })
  return presentValues(profile)
}

/** Empty fields are left out, so that they do not erase what Klaviyo knows. */
function readPostedProperties(value: unknown, leaveOut: LeaveOut): Properties {
  const field = 'profile[properties]'
  const members = Object.entries(membersOf(value, field, leaveOut))
  const filled = members.filter(([, item]) => typeof item !== 'string' || item.trim() !== '')
  return readProfileProperties(Object.fromEntries(filled), { field, leaveOut })
}

function readLanguageTag(text: string): string | undefined {
  try {
    return new Intl.Locale(text).toString()
  } catch {
    return undefined
  }
}

function readWebAddress(text: string): string | undefined {
  return /^https?:/i.test(text) && parseUrl(text) ? text : undefined
}

const isLocationName = (name: string): name is keyof ProfileLocation =>
  Object.hasOwn(locationSchema.shape, name)

const degrees: Partial<Record<keyof ProfileLocation, number>> = { latitude: 90, longitude: 180 }

/** The keys are those of Klaviyo's profile attributes. */
function readLocation(value: unknown, leaveOut: LeaveOut): ProfileLocation {
  const location: ProfileLocation = {}
  const members = membersOf(value, 'profile[location]', leaveOut)
  for (const [name, item] of Object.entries(members)) {
    const field = `profile[location][${name}]`
    if (!isLocationName(name)) {
      leaveOut(field, 'not part of a location')
      continue
    }
    const text = postedText(item, field, leaveOut)
    if (text === undefined) continue
    const limit = degrees[name]
    if (limit === undefined || Math.abs(readNumber(text) ?? NaN) <= limit) location[name] = text
    else leaveOut(field, `not a number from -${limit} to ${limit}`)
  }
  return location
}
