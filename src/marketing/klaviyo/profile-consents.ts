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

/** Klaviyo's reason for a suppression when a subscription was ended, also by a call of ours. */
export const unsubscribedReason = 'UNSUBSCRIBE'

/** The reasons of suppressions that say that a person has left, and that no call of ours causes. */
export const reasonsOfOthers: readonly string[] = ['SPAM_COMPLAINT', 'USER_SUPPRESSED']

/** What Klaviyo knows of a person's consents. */
export interface ProfileConsents extends Record<Channel, ChannelConsent> {
  /** Klaviyo's id of the profile. */
  id: string
  address: Pick<Profile, 'email' | 'phoneNumber'>
  /** Each suppression by which the person has left email, the latest first: `email` says that one. */
  leftEmail: readonly ChannelConsent[]
  /** The lists that the person has left without leaving all of them. */
  leftLists: readonly { list: string; since: Date | undefined }[]
}

/**
 * `suppressed` finds who left email, by the moment, which Klaviyo documents. `updated` finds texts that
 * somebody stopped and people who came back, if such a change counts as an update of the profile, which
 * Klaviyo does not say. `profiles` reads these profiles again.
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
