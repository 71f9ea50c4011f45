import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Fifteen digits, and the characters that people write between them. */
const phoneTextLength = 40

const international = /^\+[\d\s().\-/]+$/

/**
 * The phone number in a text as E.164. Undefined when it is not in international format (a leading plus
 * sign) or when its country has no numbers of that length. Only Klaviyo can say whether the number
 * is in use.
 */
export function readPhoneNumber(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > phoneTextLength || !international.test(trimmed)) return undefined
  const phoneNumber = parsePhoneNumberFromString(trimmed)
  return phoneNumber?.isPossible() === true ? phoneNumber.number : undefined
}
