import * as z from 'zod/mini'
import type { UserDocument, Visitor } from '../../core/http/visit.js'
import { presentValues } from '../events/property-values.js'
import { createLeftOutLog, type LeaveOut } from '../klaviyo/left-out.js'
import { readPhoneNumber } from '../../core/people/phone-number.js'
import { accountPhoneFields } from '../../core/people/phone-fields.js'
import { locationSchema, profileSchema, type Profile } from '../klaviyo/profile.js'
import { membersOf, readProfileProperties } from '../klaviyo/properties.js'
import { isVerified } from '../../core/payload/document-value.js'
import type { Shop } from '../../core/shop.js'
import type { AccountOptions } from './account-options.js'
import { isEmailChanged } from '../../carts/accounts/verified-email.js'

type MapUser = AccountOptions['mapUser']

export interface AccountShopOptions {
  marketing: Pick<AccountOptions, 'mapUser'>
}

/** Nothing is sent when `mapUser` fails, which is logged, or when the account's email is not verified. */
export const createAccountProfiles =
  ({ payload, options, log }: Shop<AccountShopOptions>) =>
  async ({ id, collection, document }: Visitor): Promise<Profile> => {
    if (!isVerified(payload, collection, document)) return {}
    const about = { accountId: id }
    const { leaveOut, write } = createLeftOutLog(log)
    try {
      const account = { ...document, id, collection }
      const profile = await accountProfile(account, options.marketing.mapUser, leaveOut)
      return isEmailChanged(payload, collection, account) ? identifiedByEmail(profile) : profile
    } catch (error) {
      log.error({ err: error, ...about }, 'mapUser failed: nothing is sent about the account')
      return {}
    } finally {
      write(about, 'Values of an account left out')
    }
  }

/**
 * A customer may have changed the email to somebody else's; with the other identifiers of the account, Klaviyo would
 * merge the profiles of both people.
 */
export function identifiedByEmail(profile: Profile): Profile {
  const named = { ...profile }
  delete named.externalId
  delete named.phoneNumber
  return named
}

/** @throws what `mapUser` throws. */
export const accountProfile = async (
  user: UserDocument,
  mapUser: MapUser,
  leaveOut: LeaveOut,
): Promise<Profile> =>
  mapUser ? readMappedProfile(await mapUser(user), leaveOut) : defaultProfile(user)

const attributeNames = Object.keys(
  z.omit(profileSchema, { location: true, properties: true }).shape,
)
const locationNames = Object.keys(locationSchema.shape)

function readMappedProfile(answer: unknown, leaveOut: LeaveOut): Profile {
  const textsOf = (members: object, names: readonly string[], field: string) =>
    Object.fromEntries(
      Object.entries(members).filter(([name, value]) => {
        const isText = typeof value === 'string' && names.includes(name)
        if (!isText && value !== undefined) {
          leaveOut(`${field}[${name}]`, 'not a text that a profile has')
        }
        return isText
      }),
    )

  const { location, properties, ...attributes } = membersOf(answer, 'account', leaveOut)
  const [locationField, field] = ['account[location]', 'account[properties]']
  return {
    ...textsOf(attributes, attributeNames, 'account'),
    ...presentValues({
      location: textsOf(membersOf(location, locationField, leaveOut), locationNames, locationField),
      properties: readProfileProperties(membersOf(properties, field, leaveOut), {
        field,
        leaveOut,
      }),
    }),
  }
}

/** The names are those of Payload's templates. */
function defaultProfile(user: UserDocument): Profile {
  const given = textOf(user, 'firstName', 'first_name')
  const family = textOf(user, 'lastName', 'last_name')
  const names = given === undefined && family === undefined ? splitName(textOf(user, 'name')) : []
  return presentValues({
    email: textOf(user, 'email'),
    phoneNumber: readPhoneNumber(textOf(user, ...accountPhoneFields) ?? ''),
    externalId: String(user.id),
    firstName: given ?? names[0],
    lastName: family ?? names[1],
  })
}

/** Takes the last word for the family name: `Lovelace` of `Ada King Lovelace`. */
function splitName(name: string | undefined): (string | undefined)[] {
  const words = name?.split(/\s+/) ?? []
  if (words.length < 2) return words
  return [words.slice(0, -1).join(' '), words.at(-1)]
}

function textOf(user: UserDocument, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = user[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return undefined
}
