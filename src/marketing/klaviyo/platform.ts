import type { ChangedConsents, ConsentsSince, ProfileConsents } from './profile-consents.js'
import type { EventMessage, Message, SubscribeMessage, UnsubscribeMessage } from './message.js'
import type { Profile } from './profile.js'

/** Why the platform did not accept a send. It never contains a key or a header. */
export interface PlatformError {
  /** The platform's code, or ours: `NETWORK`, `TIMEOUT`, `UNREADABLE_ANSWER`, `TOO_LARGE`. */
  code: string
  /** The platform's own wording, shown to the merchant. */
  detail: string
  /** The HTTP status, if there was an answer. */
  status?: number
  /** The place in the request body, such as `/data/attributes/profile/data/attributes/email`. */
  pointer?: string
}

/** The outcome of one send in a call. */
export type Outcome =
  /** Accepted. */
  | { is: 'delivered' }
  /** Nothing was done, because the profile does not exist. */
  | { is: 'skipped'; error: PlatformError }
  | Later
  /** Refused only because of another item in its batch. */
  | { is: 'requeue' }
  /** One item of the batch is bad, and the answer does not say which. */
  | { is: 'culpritUnknown'; error: PlatformError }
  /** Can be delivered with this message instead, without the refused value, such as a phone number. */
  | { is: 'retryWithout'; message: Message; error: PlatformError }
  /** Will never be accepted unchanged. */
  | { is: 'refused'; error: PlatformError }
  /** The key is wrong or lacks a scope: nothing of this kind can be sent until that is corrected. */
  | { is: 'misconfigured'; error: PlatformError }

/** Try again later. */
interface Later {
  is: 'later'
  error: PlatformError
  /** The shortest wait that the platform allows. */
  afterSeconds?: number
  costsAttempt: boolean
}

/** The rate limits in an answer's headers. Counts are for the steady window of one minute. */
export interface RateReading {
  limit?: number
  remaining?: number
  resetSeconds?: number
  /** From a 429: no call is allowed before this time has passed. */
  retryAfterSeconds?: number
}

/** The answer to a call: one outcome for each item, in the order of the items. */
export interface CallAnswer {
  outcomes: Outcome[]
  rate?: RateReading
  /** Nothing was sent, because no item was valid: the answer says nothing about the platform. */
  isUnasked?: true
}

/** The calls that have rate limits of their own. */
export type CallName =
  | 'event'
  | 'events'
  | 'profile'
  | 'subscribe'
  | 'delete-profile'
  | 'unsubscribe'
  | 'find-profiles'
  | 'find-subscribed'
  | 'list-members'

export interface CallLimits {
  /** How many calls any second may have. */
  burst: number
  /** How many calls any minute may have. */
  steady: number
  /** How many items a call may have. */
  items: number
}

export interface PlatformBounds {
  calls: Readonly<Record<CallName, CallLimits>>
  /** How many bytes of messages one bulk call may carry, with room for the JSON around them. */
  bulkBytes: number
}

export interface CallOptions {
  /** The private API key. */
  apiKey: string
  /** Ends the call at the caller's deadline. */
  signal: AbortSignal
  /**
   * Whether the call's time is over, according to the clock. It is checked right before a request is
   * sent, because a process that was paused has not received the signal yet.
   */
  isOver?: () => boolean
  /** Told of each answer, whatever it says. */
  onAnswer?: (answer: AnswerTrace) => void
}

export interface AnswerTrace {
  status: number
  /** The platform's own id of the request. */
  requestId?: string | undefined
}

/** A message and when it was accepted, which replaces a missing time when the message is late. */
export interface Dispatch<Kind extends Message = Message> {
  message: Kind
  acceptedAt: Date
}

/** A failed call that has no outcome for each item. */
export interface CallFailure {
  failed: Outcome & { is: 'later' | 'refused' | 'misconfigured' }
  rate?: RateReading
}

/** The answer to a question. */
export type Reply<Result> = Promise<(Result & { rate?: RateReading }) | CallFailure>

export interface PlatformList {
  id: string
  name: string
}

export interface AccountLists {
  lists: PlatformList[]
  /** False when the account has more lists than are read. */
  isComplete: boolean
}

/** What Klaviyo counts by: each slot names the metric of the account that it is read from. */
export const metricSlots = [
  'revenue',
  'ordered_product',
  'started_checkout',
  'added_to_cart',
  'viewed_product',
  'refunded_sales',
  'cancelled_sales',
] as const

export type MetricSlot = (typeof metricSlots)[number]

export interface AccountMetrics {
  /** The id of the metric that a slot names. A slot that names none is absent. */
  slots: ReadonlyMap<string, string>
  /** `isOurs`: events that come by the API belong to it, and not to another shop's integration. */
  metrics: { id: string; name: string; isOurs: boolean }[]
}

/**
 * The marketing platform. Every call ends when its signal fires, follows no redirect and retries
 * nothing. It never throws because of the platform or the network; such a failure is an outcome.
 */
export interface MarketingPlatform {
  readonly bounds: PlatformBounds
  trackEvent(event: Dispatch<EventMessage>, options: CallOptions): Promise<CallAnswer>
  /**
   * Tracks up to `bounds.calls.events.items` events. Those of one profile are in the order in which
   * they happened.
   */
  trackEvents(events: readonly Dispatch<EventMessage>[], options: CallOptions): Promise<CallAnswer>
  saveProfile(profile: Profile, options: CallOptions): Promise<CallAnswer>
  /** Takes messages about one list. */
  subscribe(messages: readonly SubscribeMessage[], options: CallOptions): Promise<CallAnswer>
  /**
   * Asks the platform to delete a profile with its events and consents, for privacy. The profile has one
   * identifier. One that does not exist counts as deleted.
   */
  deleteProfile(profile: Profile, options: CallOptions): Promise<CallAnswer>
  unsubscribe(messages: readonly UnsubscribeMessage[], options: CallOptions): Promise<CallAnswer>
  /** The consents of these people, by `profileKey`. People whom the platform does not know are absent. */
  findConsents(
    profiles: readonly Profile[],
    options: CallOptions,
  ): Reply<{ consents: ReadonlyMap<string, ProfileConsents> }>
  /** Reads one page of the profiles whose consents changed, the earliest change first. */
  changedConsents(since: ConsentsSince, options: CallOptions): Reply<ChangedConsents>
  /** The ids of the profiles with these emails, by the email in lower case. */
  findProfiles(
    emails: readonly string[],
    options: CallOptions,
  ): Reply<{ ids: ReadonlyMap<string, string> }>
  /**
   * Which of the messages need not be sent again, because their profiles are already on the list and
   * have the consent for each channel. A person who has not confirmed yet is not among them.
   */
  findSubscribed(
    messages: readonly SubscribeMessage[],
    options: CallOptions,
  ): Reply<{ subscribed: ReadonlySet<SubscribeMessage> }>
  addToList(ids: readonly string[], options: CallOptions & { list: string }): Promise<CallAnswer>
  lists(options: CallOptions): Reply<AccountLists>
  /** The metrics of the account, and which of them it counts revenue and the like by. */
  mappedMetrics(options: CallOptions): Reply<AccountMetrics>
  /** Klaviyo allows one call a second, and 30 a day. */
  mapMetric(options: CallOptions & { slot: MetricSlot; metric: string }): Reply<object>
  /** Asks whose key it is and which scopes it lacks, such as `lists:write`. */
  checkAccount(options: CallOptions): Reply<{ accountName: string; missingScopes: string[] }>
}
