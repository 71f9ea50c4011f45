import type { Message } from '../klaviyo/message.js'
import { mergeProfiles, type Profile } from '../klaviyo/profile.js'
import type { Outcome, KlaviyoError } from '../klaviyo/call-answer.js'
import { attemptOf, type CallTrace } from './attempt.js'
import { type Send, type Settlement, smallerBatch } from './send.js'
import { givenUpDetail } from '../klaviyo/klaviyo-error-text.js'

/** One item of a call, and the sends that it merges. The last of them is the item's own send. */
export interface CallItem<Kind extends Message = Message> {
  message: Kind
  sends: Send[]
  /** The message without the values of other repeats, when it has such (`withNewestProfiles`). */
  withoutRepeats?: Kind
}

/** Sends with the same key share an item. A profile may have lost its email to a refusal, unlike in `profileKey`. */
export const mergeKey = ({ email, phoneNumber, exchangeId, externalId }: Profile): string =>
  email?.toLowerCase() ?? phoneNumber ?? exchangeId ?? externalId ?? ''

/** Merges each person's sends into one item. An event takes those before it, and ends the item. */
export function mergeSends(sends: readonly Send[]): CallItem[] {
  const items: CallItem[] = []
  const open = new Map<string, CallItem>()
  for (const send of sends) {
    const key = mergeKey(send.message.profile)
    const earlier = open.get(key)
    if (earlier === undefined || haveTwoPhones(earlier.message, send.message)) {
      const item = { message: send.message, sends: [send] }
      items.push(item)
      open.set(key, item)
    } else {
      earlier.message = mergeMessages(earlier.message, send.message)
      earlier.sends.push(send)
    }
    if (send.message.kind === 'event') open.delete(key)
  }
  return items
}

/** One entry has one phone number, so a consent for another one needs an entry of its own. */
const haveTwoPhones = (one: Message, other: Message): boolean =>
  'channels' in other &&
  one.profile.phoneNumber !== undefined &&
  other.profile.phoneNumber !== undefined &&
  one.profile.phoneNumber !== other.profile.phoneNumber

/** A list add sends no profile values. */
function mergeMessages(earlier: Message, later: Message): Message {
  if (later.kind === 'list-add') return later
  const profile = mergeProfiles(earlier.profile, later.profile)
  if (!('channels' in later) || !('channels' in earlier)) return { ...later, profile }
  const channels = [...new Set([...earlier.channels, ...later.channels])]
  if (later.kind !== 'subscribe' || earlier.kind !== 'subscribe') {
    return { ...later, profile, channels }
  }
  const { consentedAt } = later
  const moments = consentedAt && { consentedAt: { ...earlier.consentedAt, ...consentedAt } }
  return { ...later, profile, channels, ...moments }
}

/** The items that pass a test, and the others. */
export const split = <Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
): [passed: Item[], others: Item[]] => [
  items.filter((item) => test(item)),
  items.filter((item) => !test(item)),
]

export const isItemOf =
  <Kind extends Message['kind']>(kind: Kind) =>
  (item: CallItem): item is CallItem<Extract<Message, { kind: Kind }>> =>
    item.message.kind === kind

/** @param context.trace The call, when one was about to be made. */
export function settleItem(
  item: CallItem,
  outcomeOfItem: Outcome,
  { trace, isAlone, ...context }: Omit<StepContext, 'reduced'> & { trace?: CallTrace | undefined },
): Settlement[] {
  const isMerged = item.sends.length > 1 || item.withoutRepeats !== undefined
  return item.sends.map((send) => {
    const outcome = isMerged ? outcomeOfMerged(item, send, outcomeOfItem) : outcomeOfItem
    const reduced = withoutValueOf(send, item, outcomeOfItem)
    const step = nextStep(send, outcome, { ...context, isAlone: isAlone && !isMerged, reduced })
    return trace ? { ...step, attempt: attemptOf(trace, { outcome, step, isAlone }) } : step
  })
}

/** A refused event queues its identifies again; when the profile may be the cause, nobody knows whose value is bad. */
function outcomeOfMerged(item: CallItem, send: Send, outcome: Outcome): Outcome {
  if (outcome.is === 'retryWithout' && droppedNames(item, outcome.message).length === 0) {
    return { is: 'culpritUnknown', error: outcome.error }
  }
  if (outcome.is !== 'refused') return outcome
  const isOfEvent =
    item.message.kind === 'event' &&
    isPointer(outcome.error.pointer) &&
    !isInProfile(outcome.error.pointer)
  if (!isOfEvent) return { is: 'culpritUnknown', error: outcome.error }
  return send === item.sends.at(-1) ? outcome : { is: 'requeue' }
}

/** The pointer `/data` means the whole request. */
const isPointer = (pointer: string | undefined): pointer is string =>
  pointer !== undefined && pointer.split('/').length > 2

const isInProfile = (pointer: string) => /\/profiles?(\/|$)/.test(pointer)

function withoutValueOf(send: Send, item: CallItem, outcome: Outcome): Message | undefined {
  if (outcome.is !== 'retryWithout') return undefined
  return item.sends.length === 1
    ? outcome.message
    : withoutDroppedValues(send, item, outcome.message)
}

function withoutDroppedValues(send: Send, item: CallItem, reduced: Message): Message | undefined {
  const profile = { ...send.message.profile }
  for (const name of droppedNames(item, reduced)) delete profile[name]
  return mergeKey(profile) === '' ? undefined : { ...send.message, profile }
}

const droppedNames = (item: CallItem, reduced: Message): (keyof Profile)[] =>
  (Object.keys(item.message.profile) as (keyof Profile)[]).filter(
    (name) => reduced.profile[name] === undefined,
  )

/** What the next step of a send depends on, besides the outcome of its call. */
export interface StepContext {
  now: Date
  /** At least 0 and less than 1. */
  random: number
  /** Whether the send was alone in its call, so that a refusal must be about this send. */
  isAlone: boolean
  /** When the outcome is `retryWithout`: this send's own message, without the refused values. */
  reduced?: Message | undefined
}

/** A send fails when it is at least this old and was tried at least this often: days without a key use up no attempts. */
const horizons = {
  later: { ageMs: 4 * 24 * 3_600_000, attempts: 13 },
  // The catalog's jobs take minutes. Those who come behind it in the queue of the person wait as well.
  'not-yet': { ageMs: 10 * 60_000, attempts: 8 },
}

/** After so many failures in a batch, a send moves to a smaller one: what makes Klaviyo fail must not block others. */
const failuresInBatch = 3

/** Chooses what to write about a send after its call; changes nothing. */
export function nextStep(send: Send, outcome: Outcome, context: StepContext): Settlement {
  const { id, attempts, batchSize, isUnanswered } = send
  const requeued = {
    id,
    to: 'queued' as const,
    nextAttemptAt: context.now,
    attempts,
    batchSize,
    // This call changed nothing, but an earlier one may have.
    ...(isUnanswered && { isUnanswered }),
  }
  switch (outcome.is) {
    case 'delivered':
      return { id, to: 'sent' }
    case 'skipped':
      return { id, to: 'skipped', error: outcome.error }
    case 'refused':
      return { id, to: 'failed', error: outcome.error }
    case 'requeue':
      return requeued
    case 'misconfigured':
      // The send stays due, because the pause is on the call.
      return { ...requeued, error: outcome.error }
    case 'culpritUnknown':
      if (context.isAlone) return { id, to: 'failed', error: outcome.error }
      return { ...requeued, batchSize: smallerBatch(batchSize), error: outcome.error }
    case 'retryWithout':
      if (context.reduced === undefined) return { id, to: 'failed', error: outcome.error }
      return { ...requeued, message: context.reduced, error: outcome.error }
    case 'later':
      return later(send, outcome, context)
    case 'not-yet':
      return later(send, { ...outcome, costsAttempt: true }, context)
  }
}

type LaterOutcome = Omit<Outcome & { is: 'later' }, 'is'> & { is: keyof typeof horizons }

function later(send: Send, outcome: LaterOutcome, context: StepContext): Settlement {
  const { id, batchSize, isUnanswered } = send
  const { now, random, isAlone } = context
  const { error, costsAttempt, afterSeconds = 0 } = outcome
  const attempts = send.attempts + (costsAttempt ? 1 : 0)
  const ageMs = now.getTime() - send.acceptedAt.getTime()
  const horizon = horizons[outcome.is]
  if (costsAttempt && attempts >= horizon.attempts && ageMs >= horizon.ageMs) {
    return { id, to: 'failed', error: outcome.is === 'later' ? givenUp(error) : error }
  }
  // Retry-After is a minimum. Where Klaviyo asks to wait, the call waits, and the send stays due.
  const least = costsAttempt ? waitMs(attempts, random) : 0
  const wait = Math.max(afterSeconds * 1000, least)
  const isSuspect = costsAttempt && !isAlone && attempts % failuresInBatch === 0
  return {
    id,
    to: 'queued',
    nextAttemptAt: new Date(now.getTime() + wait),
    attempts,
    batchSize: isSuspect ? smallerBatch(batchSize) : batchSize,
    error,
    ...(isUnanswered && { isUnanswered }),
  }
}

const firstWaitMs = 5_000
const longestWaitMs = 6 * 3_600_000

/**
 * Milliseconds to wait after so many failures, with full jitter: six hours at most from the 14th failure on; the 44th
 * comes after four days (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 */
export const waitMs = (failures: number, random: number): number =>
  Math.floor(Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1)) * random)

const givenUp = (error: KlaviyoError): KlaviyoError => ({
  ...error,
  detail: givenUpDetail(error.detail),
})
