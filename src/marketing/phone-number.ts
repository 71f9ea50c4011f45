import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Fifteen digits, with room for what people write between them. */
const phoneTextLength = 40

const international = /^\+[\d\s().\-/]+$/

/**
 * The phone number in a text as E.164; undefined when it is not in international format (a leading
 * plus sign) or of a length that its country does not have. Whether it is in use is the platform's
 * to say.
 */
export function readPhoneNumber(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > phoneTextLength || !international.test(trimmed)) return undefined
  const phoneNumber = parsePhoneNumberFromString(trimmed)
  return phoneNumber?.isPossible() === true ? phoneNumber.number : undefined
}
