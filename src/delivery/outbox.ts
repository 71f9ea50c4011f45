import type { Message } from '../marketing/message.js'
import type { ImportError, PlatformError } from '../marketing/platform.js'

/**
 * `queued` waits, `sending` is in a worker's hands or in an import that the platform has not carried
 * out yet, the other three are the end.
 */
export type SendState = 'queued' | 'sending' | 'sent' | 'failed' | 'skipped'

/**
 * Which calls a send goes out by. An identify of a profile whose event waits as well goes out with
 * that event.
 */
export type Lane = 'events' | 'profiles' | 'list-adds' | 'subscriptions'

export const laneOf: Readonly<Record<Message['kind'], Lane>> = {
  event: 'events',
  identify: 'profiles',
  'list-add': 'list-adds',
  subscribe: 'subscriptions',
}

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
  /** Key of the send of the same post that has to be over before. */
  after?: string
  acceptedAt: Date
}

/** A stored message in a worker's hands. */
export interface Send {
  id: number
  message: Message
  acceptedAt: Date
  /** Tries that the platform or the network failed. */
  attempts: number
}

/**
 * How many others a send may share a call with. A send that was in a call that failed as a whole, or
 * in the hands of a worker that was lost, goes in ever smaller company until it is alone.
 */
export type Isolation = 0 | 1 | 2 | 3

/** Items that may share a call, by isolation. */
export const companyLimit: Readonly<Record<Isolation, number>> = {
  0: Number.POSITIVE_INFINITY,
  1: 100,
  2: 10,
  3: 1,
}

/** What has to be the same of all sends in one claim. */
export interface SendGroup {
  lane: Lane
  isolation: Isolation
  /** For list adds and subscriptions. */
  list?: string
  /** For list adds: whether an earlier send of the same post has just made the profile. */
  isProfileKnown?: boolean
}

export interface Waiting {
  group: SendGroup
  /** Due sends of the group, counted up to the `countUpTo` that was asked for. */
  count: number
  /** Since when the oldest of them has been due. */
  dueSince: Date
}

/** Sends that are a worker's own until the lease ends. */
export interface Claim {
  /** Every later write must carry it. */
  token: string
  leaseUntil: Date
  /** In the order they have to be sent. Those of one profile are never in two claims at once. */
  sends: Send[]
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
      error?: PlatformError
      /** One step more alone. */
      isSuspect?: boolean
      /** Takes the place of the stored message. */
      message?: Message
    }
)

/** Sends stored until they are delivered. The only door to them. */
export interface Outbox {
  /** Resolves when the sends are stored for good. Several calls may share one write. */
  store(sends: readonly NewSend[]): Promise<void>
  /**
   * The group of the send of this lane that has been due the longest; undefined when none is due. A
   * send is due when its moment has come and nothing earlier of its profile is in its way.
   */
  waiting(lane: Lane, options: { now: Date; countUpTo: number }): Promise<Waiting | undefined>
  /** When the next send of a lane falls due that is not due now; undefined when none waits. */
  nextDueAt(lane: Lane, now: Date): Promise<Date | undefined>
  /**
   * Claims due sends of a group, the longest due first, as long as their messages' bytes fit.
   * In the lane `events`, identifies of the same profiles that are in the way come along.
   */
  claim(
    group: SendGroup,
    options: { now: Date; leaseUntil: Date; limit: number; bytes: number },
  ): Promise<Claim | undefined>
  /** Writes what became of a claim's sends, of those that are still its own. */
  settle(claim: Claim, settlements: readonly Settlement[], now: Date): Promise<void>
  /**
   * Takes back the sends whose lease is over. It costs no attempts; a send that was alone when
   * its worker was lost is singled out (isolation 3), and set aside as failed when `lostWorkersLimit`
   * more are lost with it, each after a longer wait: four workers for one that was alone from the
   * start, six for one that was in full company. Those of a job that takes too long become sent. Also
   * frees sends whose predecessor is over. Resolves to how many sends were taken back or freed.
   */
  recover(now: Date): Promise<number>
  /** Import jobs whose errors have not been asked for. */
  openJobs(limit: number): Promise<string[]>
  /**
   * Ends the sends of a job: those that it did not take become failed. One that a call of its own can
   * deliver goes back to the queue, to be alone, unless something later of its profile may be gone.
   */
  closeJob(job: string, failures: readonly ImportError[], now: Date): Promise<void>
  /** Has all sends of a job fail, as nothing says which of them it took. */
  failJob(job: string, error: PlatformError, now: Date): Promise<void>
  /**
   * Deletes sends that were sent or skipped before that moment, and failed ones that were accepted
   * before the other, some at a time. Resolves to how many.
   */
  prune(before: Date, failedBefore?: Date): Promise<number>
  /** A failed send back to the queue, its attempts forgotten. False when it is not failed. */
  resend(id: number, now: Date): Promise<boolean>
  /** Deletes a failed send. False when it is not failed. */
  dismiss(id: number): Promise<boolean>
}

/** Workers that a send that was singled out may take down before it is set aside. */
export const lostWorkersLimit = 3

/**
 * How long such a send waits after the first of them, and after the second. Workers die in clusters
 * (a deployment, a machine short of memory), for minutes: a send that only happened to be there is past
 * the cluster when it is tried for the last time, one that takes its worker down still does.
 */
export const waitAfterLossMs: readonly number[] = [20_000, 5 * 60_000]
