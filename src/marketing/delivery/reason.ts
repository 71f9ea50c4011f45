import { isOurCode } from '../klaviyo/klaviyo-error-text.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'

/** Whatever code and place Klaviyo names with these, the cause is the same. */
const byStatus: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'throttled',
}

const longestCode = 60

/**
 * An error in a word that does not differ from send to send, so that a merchant can count and resend what
 * failed alike: `invalid_email`, `server_error`, `timeout`. Klaviyo's `invalid` alone is about any value.
 */
export function reasonOf({ code, status, pointer }: KlaviyoError): string {
  const word = wordOf(code)
  if (isOurCode(code)) return word
  const known = status === undefined ? undefined : byStatus[status]
  if (known !== undefined) return known
  if (status !== undefined && status >= 500) return 'server_error'
  const field = fieldOf(pointer)
  return field === undefined ? word : `${word}_${field}`
}

const wordOf = (code: string): string =>
  code
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .slice(0, longestCode)

/** The last name in a pointer; not that of a property, which a shop may have called anything. */
function fieldOf(pointer = ''): string | undefined {
  if (pointer.includes('/properties/')) return 'properties'
  return /\/(?!(?:data|attributes)\/?$)([a-z_]{1,40})\/?$/.exec(pointer)?.[1]
}
