import type { Message } from '../klaviyo/message.js'
import { mergeProfiles, type Profile } from '../klaviyo/profile.js'
import type { Outcome } from '../klaviyo/call-answer.js'
import { attemptOf, type CallTrace } from './attempt.js'
import { nextStep, type StepContext } from './next-step.js'
import type { Send, Settlement } from './send.js'

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
  if (later.kind === 'unsubscribe' || earlier.kind === 'unsubscribe') {
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
