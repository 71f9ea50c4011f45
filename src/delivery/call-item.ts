import type { EventMessage, IdentifyMessage, Message } from '../marketing/message.js'
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

/** Events, each with what identifies of the same person before it say. */
export function foldIntoEvents(sends: readonly Send[]): CallItem<EventMessage>[] {
  const items: CallItem<EventMessage>[] = []
  const waiting = new Map<string, Send[]>()
  for (const send of sends) {
    const person = personOf(send.message.profile)
    const earlier = waiting.get(person) ?? []
    if (send.message.kind === 'event') {
      const profile = mergedProfile([...earlier, send])
      items.push({ message: { ...send.message, profile }, sends: [...earlier, send] })
      waiting.delete(person)
    } else {
      waiting.set(person, [...earlier, send])
    }
  }
  return items
}

/** One item a person, with what all of its sends say. */
export function foldByPerson<Kind extends Exclude<Message, EventMessage>>(
  sends: readonly Send[],
  fold: (earlier: Kind, later: Kind) => Kind,
): CallItem<Kind>[] {
  const items = new Map<string, CallItem<Kind>>()
  for (const send of sends) {
    const message = send.message as Kind
    const person = personOf(message.profile)
    const item = items.get(person)
    items.set(
      person,
      item === undefined
        ? { message, sends: [send] }
        : { message: fold(item.message, message), sends: [...item.sends, send] },
    )
  }
  return [...items.values()]
}

export const foldIdentifies = (
  earlier: IdentifyMessage,
  later: IdentifyMessage,
): IdentifyMessage => ({
  ...later,
  profile: mergeProfiles(earlier.profile, later.profile),
})

const mergedProfile = (sends: readonly Send[]): Profile =>
  sends.map(({ message }) => message.profile).reduce(mergeProfiles)

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
