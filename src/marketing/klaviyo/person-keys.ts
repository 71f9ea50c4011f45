import type { DocumentId } from '../../core/database/document-id.js'
import { readPhoneNumber } from '../../core/people/phone-number.js'
import { profileKey, type Profile } from './profile.js'

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

/**
 * The keys of an account: its id, those emails that are surely its own, and what the store's own code says
 * of it. An account without such an email has no phone number either: its owner may have typed anybody's.
 */
export function personKeys(
  { id, emails }: { id: DocumentId; emails: readonly string[] },
  { phoneNumber, externalId }: Profile,
): PersonKeys {
  const own = emails.length > 0 ? readPhoneNumber(phoneNumber ?? '') : undefined
  return {
    customerId: id,
    profiles: [...new Set(emails.map((each) => profileKey({ email: each })))],
    externalIds: [...new Set([String(id), externalId ?? String(id)])],
    phoneNumbers: own === undefined ? [] : [own],
  }
}
