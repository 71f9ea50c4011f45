import type { DocumentId } from '../database/document-id.js'
import { readPhoneNumber } from './phone-number.js'
import { profileKey } from './profile-key.js'

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
