import type { Channel } from './message.js'
import type { Profile } from './profile.js'

export type ConsentStatus = 'subscribed' | 'unsubscribed' | 'never'

/** Whether a person wants marketing on one channel. */
export interface ChannelConsent {
  status: ConsentStatus
  /** When that began; undefined when Klaviyo does not say. */
  since: Date | undefined
  /** Klaviyo's word for how it came about, such as `UNSUBSCRIBE` or `PREFERENCE_PAGE`; may be blank. */
  source: string
}

/** What Klaviyo knows of a person's consents. */
export interface ProfileConsents extends Record<Channel, ChannelConsent> {
  /** Klaviyo's id of the profile. */
  id: string
  address: Pick<Profile, 'email' | 'phoneNumber'>
  /** The lists that the person has left without leaving all of them. */
  leftLists: readonly { list: string; since: Date | undefined }[]
}

/**
 * The two ways to find changes. `suppressed` is sorted by the moment of an email suppression, which
 * Klaviyo documents. `updated` also finds SMS consents and people who came back: we assume that a change
 * of consent counts as an update of the profile. `profiles` reads these profiles again.
 */
export type ConsentsSince =
  | { walk: 'suppressed' | 'updated'; from: Date; page?: string }
  | { walk: 'profiles'; ids: readonly string[] }

export interface ChangedConsents {
  profiles: ProfileConsents[]
  /** Absent on the last page. */
  nextPage?: string
  /** All changes before this moment are on this page or on earlier ones; undefined on an empty page. */
  readUntil: Date | undefined
}
