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
