import type { Message } from './message.js'

/** Why Klaviyo did not accept a send. It never contains a key or a header. */
export interface KlaviyoError {
  /** Klaviyo's code, or ours: `NETWORK`, `TIMEOUT`, `UNREADABLE_ANSWER`, `TOO_LARGE`. */
  code: string
  /** Klaviyo's own wording, shown to the merchant. */
  detail: string
  /** The HTTP status, if there was an answer. */
  status?: number
  /** The place in the request body, such as `/data/attributes/profile/data/attributes/email`. */
  pointer?: string
}

/** Of one send in a call. */
export type Outcome =
  | { is: 'delivered' }
  /** Nothing was done, because the profile does not exist. */
  | { is: 'skipped'; error: KlaviyoError }
  | Later
  /** What it is about is not there yet, and may come within minutes. */
  | { is: 'not-yet'; error: KlaviyoError }
  /** Refused only because of another item in its batch. */
  | { is: 'requeue' }
  /** One item of the batch is bad, and the answer does not say which. */
  | { is: 'culpritUnknown'; error: KlaviyoError }
  /** Can be delivered with this message instead, without the refused value, such as a phone number. */
  | { is: 'retryWithout'; message: Message; error: KlaviyoError }
  /** Will never be accepted unchanged. */
  | { is: 'refused'; error: KlaviyoError }
  /** The key is wrong or lacks a scope: nothing of this kind can be sent until that is corrected. */
  | { is: 'misconfigured'; error: KlaviyoError }

interface Later {
  is: 'later'
  error: KlaviyoError
  /** The shortest wait that Klaviyo allows. */
  afterSeconds?: number
  costsAttempt: boolean
}

/** The rate limits in an answer's headers. Counts are for the steady window of one minute. */
export interface RateLimit {
  limit?: number
  remaining?: number
  resetSeconds?: number
  /** From a 429: no call is allowed before this time has passed. */
  retryAfterSeconds?: number
}

/** One outcome for each item, in the order of the items. */
export interface CallAnswer {
  outcomes: Outcome[]
  rate?: RateLimit
  /** Nothing was sent, because no item was valid: the answer says nothing about Klaviyo. */
  isUnasked?: true
}

export interface CallOptions {
  /** The private API key. */
  apiKey: string
  /** Ends the call at the caller's deadline. */
  signal: AbortSignal
  /** Whether the call's time is over by the clock: a process that was paused has not received the signal yet. */
  isOver?: () => boolean
  /** Told of each answer, whatever it says. */
  onAnswer?: (answer: AnswerTrace) => void
}

export interface AnswerTrace {
  status: number
  /** Klaviyo's own id of the request. */
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
  rate?: RateLimit
}

export type Reply<Result> = Promise<(Result & { rate?: RateLimit }) | CallFailure>
