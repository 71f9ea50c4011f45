import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

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
