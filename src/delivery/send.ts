import type { Message } from '../marketing/message.js'
import type { PlatformError } from '../marketing/platform.js'

/**
 * `queued` waits, `sending` is in a call or in an import that the platform has not carried out yet, the
 * other three are the end.
 */
export type SendState = 'queued' | 'sending' | 'sent' | 'failed' | 'skipped'

/** What a send is, and so which calls it goes out by. An event of the history lets others go first. */
export type SendKind = Message['kind'] | 'past-event'

export const sendKinds: readonly SendKind[] = [
  'event',
  'identify',
  'list-add',
  'subscribe',
  'past-event',
]

export const kindOf = (message: Message): SendKind =>
  message.kind === 'event' && message.event.backfill === true ? 'past-event' : message.kind

/**
 * How many may share a call with a send: as many as the call takes, or fewer, since it was in a call
 * that failed as a whole or in a process that was lost.
 */
export const batchSizes: readonly number[] = [Number.POSITIVE_INFINITY, 100, 10, 1]

export const smallerBatch = (size: number): number => batchSizes.find((next) => next < size) ?? 1

/** A message to be stored. */
export interface NewSend {
  message: Message
  /** What makes a repeat of the same occurrence the same send: stored once. */
  key: string
  /**
   * Also a repeat when a send of this key was accepted at `foldSince` or later: keys that carry the
   * window they fall in name the window before.
   */
  previousKey?: string
  foldSince?: Date
  /**
   * What is stored in its place when it repeats something, and the profile has been told something
   * else since: on, off and on again is no repeat of the first.
   */
  otherwise?: { key: string; message: Message }
  acceptedAt: Date
}

/** A stored send as the deliverer keeps it in memory: without its message. */
export interface WaitingSend {
  id: number
  kind: SendKind
  /** Such as `email:ada@example.com`. */
  profile: string
  /** For list adds and subscriptions. */
  list: string | undefined
  /** Of its message. */
  bytes: number
  batchSize: number
  /** Tries that the platform or the network failed. */
  attempts: number
  /** Processes that were lost while it was the only one in its call. */
  crashes: number
  acceptedAt: Date
  /** Not before, milliseconds since 1970. */
  dueAt: number
  /** Whether it was in a call whose answer nobody has read. */
  isUnanswered: boolean
  /** For list adds: until when the platform is known to have the profile, milliseconds since 1970. */
  knownUntil: number
}

/** A send in a call. */
export interface Send extends WaitingSend {
  message: Message
}

/** What is written of a send when its call is over. */
export type Settlement = { id: number } & (
  | { to: 'sent'; job?: string }
  /** Taken by a job that is carried out later: over when the job is closed, or at that moment. */
  | { to: 'sending'; job: string; until: Date }
  | { to: 'skipped' | 'failed'; error: PlatformError }
  /** Back to the queue. */
  | {
      to: 'queued'
      nextAttemptAt: Date
      attempts: number
      batchSize: number
      error?: PlatformError
      /** Takes the place of the stored message. */
      message?: Message
      /** Its process was lost: what the platform answered is not known. */
      isUnanswered?: true
    }
) & {
    /** Processes that were lost while it was the only one in its call, where that has changed. */
    crashes?: number
  }

/** How long a send that made its profile vouches for it. */
export const knownForMs = 10 * 60_000
