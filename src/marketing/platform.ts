import type { EventMessage, Message, SubscribeMessage } from './message.js'
import type { Profile } from './profile.js'

/** What the platform says of a send that it did not take. Never holds a key or a header. */
export interface PlatformError {
  /** The platform's code, or ours: `NETWORK`, `TIMEOUT`, `UNREADABLE_ANSWER`, `TOO_LARGE`. */
  code: string
  /** For the merchant, as the platform worded it. */
  detail: string
  /** HTTP status, where there was an answer. */
  status?: number
  /** Where in the request body, such as `/data/attributes/profile/data/attributes/email`. */
  pointer?: string
}

/** The code of an import job that the platform gave up half-way. */
export const jobCancelled = 'JOB_CANCELLED'

/** What became of one send in a call. */
export type Outcome =
  /** Taken. `job` names an asynchronous job whose errors are still to be asked for. */
  | { is: 'delivered'; job?: string }
  /** Nothing to do: the profile is not there. */
  | { is: 'skipped'; error: PlatformError }
  /** Try later. `afterSeconds` is the least wait that the platform asked for. */
  | { is: 'later'; error: PlatformError; afterSeconds?: number; costsAttempt: boolean }
  /** Innocent: refused only because of another one in its batch. */
  | { is: 'again' }
  /** One of the batch is bad, and the answer does not say which. */
  | { is: 'suspect'; error: PlatformError }
  /** Can be delivered with this message in its place (a bad phone number left out). */
  | { is: 'amended'; message: Message; error: PlatformError }
  /** Will never be taken as it is. */
  | { is: 'refused'; error: PlatformError }
  /** The key is wrong or lacks a scope: nothing of this kind can be sent until it is mended. */
  | { is: 'misconfigured'; error: PlatformError }

/** What an answer's headers say of the limits. Counts are those of the steady window, a minute. */
export interface RateReading {
  limit?: number
  remaining?: number
  resetSeconds?: number
  /** From a 429: nobody may call before. */
  retryAfterSeconds?: number
}

/** The answer to a call: one outcome for each item, in the order of the items. */
export interface CallAnswer {
  outcomes: Outcome[]
  rate?: RateReading
  /** Nothing was sent, as no item was fit to be: the answer says nothing of the platform. */
  isUnasked?: true
}

/** Every call that has limits of its own. */
export type CallName =
  | 'event'
  | 'events'
  | 'profile'
  | 'profiles'
  | 'subscribe'
  | 'find-profiles'
  | 'find-subscribed'
  | 'list-members'
  | 'import-job'
  | 'import-errors'

export interface CallLimits {
  /** Calls in any second. */
  burst: number
  /** Calls in any minute. */
  steady: number
  /** Items a call. */
  items: number
}

/** Bytes of bodies that one call may carry, with room for what is around them. */
export interface PlatformBounds {
  calls: Readonly<Record<CallName, CallLimits>>
  /** Bytes of messages in one bulk call. */
  bulkBytes: number
}

export interface CallOptions {
  /** The private API key. */
  apiKey: string
  /** Ends the call; it is the caller's lease. */
  signal: AbortSignal
  /**
   * Whether the call's time is over, by the clock. Asked right before a request is sent: the signal of
   * a process that was paused does not know yet.
   */
  isOver?: () => boolean
}

/** A message with the moment it was accepted, which stands in for a missing time when it is late. */
export interface Dispatch<Kind extends Message = Message> {
  message: Kind
  acceptedAt: Date
}

/** A failed call whose result is not one outcome an item. */
export interface CallFailure {
  failed: Outcome & { is: 'later' | 'refused' | 'misconfigured' }
  rate?: RateReading
}

/** The answer to a question. */
export type Reply<Result> = Promise<(Result & { rate?: RateReading }) | CallFailure>

export interface ImportError {
  /** The email of the profile that was not taken, in lower case; undefined when it does not say. */
  email: string | undefined
  error: PlatformError
  /** The call for one profile takes it all the same, without the value that the error is about. */
  isAmendable?: true
}

/** A list of the account. */
export interface PlatformList {
  id: string
  name: string
}

export interface AccountLists {
  lists: PlatformList[]
  /** False where the account has more lists than are read. */
  isComplete: boolean
}

/**
 * The marketing platform. Every call ends by its signal, follows no redirect, retries nothing by
 * itself and never throws for what the platform or the network does: that is an outcome.
 */
export interface MarketingPlatform {
  readonly bounds: PlatformBounds
  /** One event. */
  trackEvent(event: Dispatch<EventMessage>, options: CallOptions): Promise<CallAnswer>
  /** Up to `bounds.calls.events.items`; those of one profile in the order they happened. */
  trackEvents(events: readonly Dispatch<EventMessage>[], options: CallOptions): Promise<CallAnswer>
  /** Creates or updates one profile. */
  saveProfile(profile: Profile, options: CallOptions): Promise<CallAnswer>
  /** Creates or updates many by an asynchronous job, and adds them to the list if one is given. */
  importProfiles(
    profiles: readonly Profile[],
    options: CallOptions & { list?: string },
  ): Promise<CallAnswer>
  /** Subscribes many to one list. */
  subscribe(messages: readonly SubscribeMessage[], options: CallOptions): Promise<CallAnswer>
  /** The ids of the profiles with these emails, in lower case; those that are not there are left out. */
  findProfiles(
    emails: readonly string[],
    options: CallOptions,
  ): Reply<{ ids: ReadonlyMap<string, string> }>
  /**
   * Which of the messages need not be sent again, as their profiles have what they give: membership of
   * the list and consent for each channel. One whose person has yet to confirm is not among them.
   */
  findSubscribed(
    messages: readonly SubscribeMessage[],
    options: CallOptions,
  ): Reply<{ subscribed: ReadonlySet<SubscribeMessage> }>
  /** Adds profiles by id to a list. */
  addToList(ids: readonly string[], options: CallOptions & { list: string }): Promise<CallAnswer>
  /**
   * Refused with `JOB_CANCELLED`: nothing says which profiles it took. Any other refusal: nothing is
   * known of the job any more.
   */
  importJob(job: string, options: CallOptions): Reply<{ isComplete: boolean; failedCount: number }>
  /** The errors of a job that is complete, a page a call: `nextPage` until there is none. */
  importErrors(
    job: string,
    options: CallOptions & { page?: string },
  ): Reply<{ errors: ImportError[]; nextPage?: string }>
  /** The lists of the account, page by page. */
  lists(options: CallOptions): Reply<AccountLists>
  /** Asks whose key it is, and which scopes it lacks, such as `lists:write`. */
  checkAccount(options: CallOptions): Reply<{ accountName: string; missingScopes: string[] }>
}
