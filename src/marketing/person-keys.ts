import { readEmail } from './email.js'
import { readPhoneNumber } from './phone-number.js'
import { profileKey, type Profile } from './profile.js'

/** What the messages about a person are known by. */
export interface PersonKeys {
  /** Keys of the profiles that they go to, as `profileKey` has them. */
  profiles: string[]
  externalIds: string[]
  phoneNumbers: string[]
}

/** Of an account: by its own email and id, and by what the store's own code says of it. */
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
