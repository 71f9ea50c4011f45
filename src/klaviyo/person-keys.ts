import { readEmail } from './email.js'
import { readPhoneNumber } from './phone-number.js'
import { profileKey, type Profile } from './profile.js'

/** The identifiers that find all messages about a person. */
export interface PersonKeys {
  /** The keys of their profiles, as `profileKey` makes them. */
  profiles: string[]
  externalIds: string[]
  phoneNumbers: string[]
}

/**
 * The keys of an account: from its own email and id, and from the profile that the store's own code
 * returns for it.
 */
export function personKeys(
  account: { id: number | string; email: unknown },
  { email, phoneNumber, externalId }: Profile,
): PersonKeys {
  const emails = [account.email, email].flatMap((text) =>
    typeof text === 'string' ? (readEmail(text) ?? []) : [],
  )
  const phoneNumbers = [readPhoneNumber(phoneNumber ?? '') ?? []].flat()
  const profiles = [
    ...emails.map((each) => profileKey({ email: each })),
    ...phoneNumbers.map((each) => profileKey({ phoneNumber: each })),
  ]
  return {
    profiles: [...new Set(profiles)],
    externalIds: [...new Set([String(account.id), externalId ?? String(account.id)])],
    phoneNumbers,
  }
}
