import type { DocumentId } from '../database/document-id.js'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** The identifiers that find all messages about a person. */
export interface PersonKeys {
  /** The keys of their profiles, as `profileKey` makes them. */
  profiles: string[]
  externalIds: string[]
  /** The account; undefined for a person without one. */
  customerId?: DocumentId | undefined
  /** They find only sends that name nobody else, because people share phone numbers. */
  phoneNumbers: string[]
}

/** The keys of an account. One without an email of its own has no phone number either, as anybody may have typed it. */
export function personKeys(
  { id, emails }: { id: DocumentId; emails: readonly string[] },
  { phoneNumber, externalId }: { phoneNumber?: string; externalId?: string },
): PersonKeys {
  const own = emails.length > 0 ? readPhoneNumber(phoneNumber ?? '') : undefined
  return {
    customerId: id,
    profiles: [...new Set(emails.map((each) => profileKey({ email: each })))],
    externalIds: [...new Set([String(id), externalId ?? String(id)])],
    phoneNumbers: own === undefined ? [] : [own],
  }
}

/** What says who somebody is. */
interface Identifiers {
  email?: string
  phoneNumber?: string
  exchangeId?: string
}

/**
 * Identifies the profile whose sends keep their order: by the email in lower case, or else by the phone
 * number, or else by the exchange id.
 *
 * @throws {TypeError} when the profile has none of them.
 */
export function profileKey({ email, phoneNumber, exchangeId }: Identifiers): string {
  if (email !== undefined) return `email:${email.toLowerCase()}`
  if (phoneNumber !== undefined) return `phone:${phoneNumber}`
  if (exchangeId !== undefined) return `exchange:${exchangeId}`
  throw new TypeError('A profile needs an email, a phone number or an exchange id.')
}

/** Fifteen digits, and the characters that people write between them. */
const phoneTextLength = 40

const international = /^\+[\d\s().\-/]+$/

/** The phone number as E.164; undefined without a leading plus sign, or with a length that its country lacks. */
export function readPhoneNumber(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > phoneTextLength || !international.test(trimmed)) return undefined
  const phoneNumber = parsePhoneNumberFromString(trimmed)
  return phoneNumber?.isPossible() === true ? phoneNumber.number : undefined
}

const dialled = /^\+?[\d\s().\-/]+$/
const leastDigits = 5

/** How a phone number that somebody types may stand in an account; none for what is no phone number. */
export function phoneSpellings(text: string): string[] {
  const typed = text.trim()
  const digits = typed.replace(/\D/g, '')
  if (typed.length > phoneTextLength || !dialled.test(typed) || digits.length < leastDigits)
    return []
  const read = parsePhoneNumberFromString(typed)
  const known = read?.isPossible()
    ? [read.number, read.formatInternational(), read.formatNational()]
    : []
  return [...new Set([typed, digits, ...known])]
}
