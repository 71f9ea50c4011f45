import type { Message } from '../marketing/message.js'
import { mergeProfiles, type Profile } from '../marketing/profile.js'
import type { Outcome } from '../marketing/platform.js'
import { nextStep, type StepContext } from './next-step.js'
import type { Send, Settlement } from './send.js'

/** One item of a call, and the sends that it stands for: the last one is the item's own. */
export interface CallItem<Kind extends Message = Message> {
  message: Kind
  sends: Send[]
  /** Whether the message also has values of sends that are not in the call. */
  hasOthersValues?: boolean
}

/** Whose sends have to keep their order. An amended profile may have lost its email or number. */
export const personOf = ({ email, phoneNumber, externalId }: Profile): string =>
  email?.toLowerCase() ?? phoneNumber ?? externalId ?? ''

/** One item a person, with what all of its sends say; of events one each, with what is said before it. */
export function foldSends(sends: readonly Send[]): CallItem[] {
  const items: CallItem[] = []
  const open = new Map<string, CallItem>()
  for (const send of sends) {
    const person = personOf(send.message.profile)
    const earlier = open.get(person)
    if (earlier === undefined) {
      const item = { message: send.message, sends: [send] }
      items.push(item)
      open.set(person, item)
    } else {
      earlier.message = fold(earlier.message, send.message)
      earlier.sends.push(send)
    }
    if (send.message.kind === 'event') open.delete(person)
  }
  return items
}

/** A list add brings no values along. */
function fold(earlier: Message, later: Message): Message {
  if (later.kind === 'list-add') return later
  const profile = mergeProfiles(earlier.profile, later.profile)
  if (later.kind !== 'subscribe' || earlier.kind !== 'subscribe') return { ...later, profile }
  return { ...later, profile, channels: [...new Set([...earlier.channels, ...later.channels])] }
}

/** Whether an item's message is of that kind. */
export const isItemOf =
  <Kind extends Message['kind']>(kind: Kind) =>
  (item: CallItem): item is CallItem<Extract<Message, { kind: Kind }>> =>
    item.message.kind === kind

/** What is written of an item's sends after its call. */
export function settleItem(
  item: CallItem,
  outcome: Outcome,
  context: Omit<StepContext, 'amended'>,
): Settlement[] {
  const [only, ...others] = item.sends
  if (only !== undefined && others.length === 0 && !item.hasOthersValues) {
    return [nextStep(only, outcome, { ...context, amended: amendedOf(only, item, outcome) })]
  }
  return item.sends.map((send) =>
    nextStep(send, outcomeOfFolded(item, send, outcome), {
      ...context,
      isAlone: false,
      amended: amendedOf(send, item, outcome),
    }),
  )
}

/**
 * A refused event does not take down what other sends say of its profile: those go again by
 * themselves. When it may be the profile that is refused, nobody knows whose value it was: all go in
 * smaller company, and unfolded when they are alone.
 */
function outcomeOfFolded(item: CallItem, send: Send, outcome: Outcome): Outcome {
  if (outcome.is === 'amended' && droppedNames(item, outcome.message).length === 0) {
    return { is: 'suspect', error: outcome.error }
  }
  if (outcome.is !== 'refused') return outcome
  const isOfEvent =
    item.message.kind === 'event' &&
    isPointer(outcome.error.pointer) &&
    !isInProfile(outcome.error.pointer)
  if (!isOfEvent) return { is: 'suspect', error: outcome.error }
  return send === item.sends.at(-1) ? outcome : { is: 'again' }
}

/** `/data` is the whole request: it points at nothing. */
const isPointer = (pointer: string | undefined): pointer is string =>
  pointer !== undefined && pointer.split('/').length > 2

const isInProfile = (pointer: string) => /\/profiles?(\/|$)/.test(pointer)

function amendedOf(send: Send, item: CallItem, outcome: Outcome): Message | undefined {
  if (outcome.is !== 'amended') return undefined
  // A list add goes out as an import: what comes back is then another kind of message.
  const isOwn = item.sends.length === 1 && outcome.message.kind === send.message.kind
  return isOwn ? outcome.message : withoutDropped(send, item, outcome.message)
}

/** The send's own message without the values that the amended one does without. */
function withoutDropped(send: Send, item: CallItem, amended: Message): Message | undefined {
  const profile = { ...send.message.profile }
  for (const name of droppedNames(item, amended)) delete profile[name]
  return personOf(profile) === '' ? undefined : { ...send.message, profile }
}

const droppedNames = (item: CallItem, amended: Message): (keyof Profile)[] =>
  (Object.keys(item.message.profile) as (keyof Profile)[]).filter(
    (name) => amended.profile[name] === undefined,
  )
