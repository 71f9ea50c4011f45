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
