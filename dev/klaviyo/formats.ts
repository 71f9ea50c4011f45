// Klaviyo publishes no rule for emails. This is the one of HTML forms, with a dot in the domain.
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/
const MAX_EMAIL_LENGTH = 254

export const isEmail = (text: string): boolean =>
  text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text)

/** E.164: a plus sign and at most 15 digits. */
export const isPhoneNumber = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text)

/** ISO 4217. */
export const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text)

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** Milliseconds since 1970 of an RFC 3339 text; `undefined` when it is none. */
export function readDateTime(text: string): number | undefined {
  if (!DATE_TIME.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
