import type { TranslationKey } from '../../core/payload/label.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Message } from '../klaviyo/message.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import type { Attempt } from './attempt.js'

/** A `queued` send waits, a `sending` one is in a call; the other states are final. */
export type SendState = 'queued' | 'sending' | 'sent' | 'failed' | 'skipped'

/** Decides which calls carry a send. A consent is a subscription with its moment, which needs calls of its own. */
export type SendKind = Message['kind'] | 'past-event' | 'consent'

export const sendKinds: readonly SendKind[] = [
  'event',
  'identify',
  'list-add',
  'subscribe',
  'consent',
  'unsubscribe',
  'back-in-stock',
  'erase',
  'past-event',
]

export const sendKindNames: Readonly<Record<SendKind, TranslationKey>> = {
  event: 'sendEvent',
  identify: 'sendIdentify',
  'list-add': 'sendListAdd',
  subscribe: 'sendSubscribe',
  erase: 'sendErase',
  'past-event': 'sendPastEvent',
  consent: 'sendConsent',
  unsubscribe: 'sendUnsubscribe',
  'back-in-stock': 'sendBackInStock',
}

export const perKind = <Value>(valueOf: (kind: SendKind) => Value) =>
  Object.fromEntries(sendKinds.map((kind) => [kind, valueOf(kind)])) as Record<SendKind, Value>

export function kindOf(message: Message): SendKind {
  if (message.kind === 'event' && message.event.backfill === true) return 'past-event'
  if (message.kind === 'subscribe' && message.consentedAt !== undefined) return 'consent'
  return message.kind
}

export const bytesOf = (message: Message): number => Buffer.byteLength(JSON.stringify(message))

/** How many sends may share a call: as many as it takes, then fewer after each that failed as a whole or was lost. */
export const batchSizes: readonly number[] = [Number.POSITIVE_INFINITY, 100, 10, 1]

export const smallerBatch = (size: number): number => batchSizes.find((next) => next < size) ?? 1

export interface NewSend {
  message: Message
  /** A repeat of the same occurrence has the same key and is stored once. */
  key: string
  /** Also a repeat of a send with this key that was accepted at `dedupeSince` or later. */
  previousKey?: string
  dedupeSince?: Date
  /** Stored instead when the key is a repeat, but other sends of the profile came since: on, off, on. */
  afterOthers?: { key: string; message: Message }
  acceptedAt: Date
  /** The customer whose account, order or cart it is about, whatever email they have; undefined for a guest. */
  account?: DocumentId | undefined
}

/** A stored send as the deliverer caches it in memory, without its message. */
export interface WaitingSend {
  id: number
  kind: SendKind
  /** Such as `email:ada@example.com`. */
  profile: string
  /** For list adds and subscriptions; the variant for what is back in stock. */
  list: string | undefined
  bytes: number
  batchSize: number
  /** How many attempts Klaviyo or the network failed. */
  attempts: number
  /** How many processes died while it was alone in its call. */
  crashes: number
  acceptedAt: Date
  /** When it is due, in milliseconds since 1970. */
  dueAt: number
  /** Whether it was in a call whose answer nobody has read, or was resent. */
  isUnanswered: boolean
}

export interface Send extends WaitingSend {
  message: Message
}

/** Whether an earlier call may have had an effect, or later sends of the profile may have gone since. */
export const isRepeat = ({ attempts, isUnanswered }: WaitingSend) => attempts > 0 || isUnanswered

/** What to write about a send after its call. */
export type Settlement = { id: number } & (
  | { to: 'skipped' | 'failed'; error: KlaviyoError }
  | { to: 'sent' }
  | {
      to: 'queued'
      nextAttemptAt: Date
      attempts: number
      batchSize: number
      error?: KlaviyoError
      /** Replaces the stored message. */
      message?: Message
      /** Its process died, so Klaviyo's answer is unknown. */
      isUnanswered?: true
    }
) & {
    /** Absent when unchanged. */
    crashes?: number
    /** Absent when there was none. */
    attempt?: Attempt
  }
