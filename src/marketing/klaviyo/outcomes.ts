import type { Message } from './message.js'
import type { Outcome } from './call-answer.js'
import { klaviyoError, type ApiError, type CallResult } from './call.js'

/** The items of a call that was made. */
export interface CalledItems {
  /** The message of each item; undefined when there is none to reduce. */
  messages: readonly (Message | undefined)[]
  /** The indexes of the items that a pointer into the body names: several if they share an entry. */
  itemsAt: (pointer: string) => readonly number[]
  /** The list that a 404 is about. */
  list?: string | undefined
  /** What a 404 that points at the profile means. */
  unknownProfile?: Outcome
  /** Whether these errors say that what the call is about is not there yet. */
  isNotYet?: (rejection: Rejection) => boolean
}

/** One outcome for each item of the batch. */
export function outcomesOf(result: CallResult, batch: CalledItems): Outcome[] {
  const { messages } = batch
  const size = messages.length
  if (result.is === 'taken') return all(size, { is: 'delivered' })
  if (result.is === 'rejected') return rejected(result, batch)
  // We refuse a batch that is too large before it is sent, so no single item is known to be at fault.
  return all(
    size,
    result.is === 'refused' && size > 1 ? { ...result, is: 'culpritUnknown' } : result,
  )
}

const all = (size: number, outcome: Outcome): Outcome[] => Array<Outcome>(size).fill(outcome)

export type Rejection = Omit<Extract<CallResult, { is: 'rejected' }>, 'is'>

function rejected(rejection: Rejection, batch: CalledItems): Outcome[] {
  const { status, errors } = rejection
  const { messages, list } = batch
  const size = messages.length
  const error = klaviyoError(status, errors[0])
  if (status === 404 && batch.unknownProfile && errors.some(isAboutProfile)) {
    return all(size, batch.unknownProfile)
  }
  if (batch.isNotYet?.(rejection)) return all(size, { is: 'not-yet', error })
  const isAboutList = errors.some(({ pointer }) => pointer?.includes('/relationships/list'))
  if (status === 404 || isAboutList) {
    // Without a list a 404 means that the endpoint is missing: the URL is wrong.
    if (list === undefined) return all(size, { is: 'misconfigured', error })
    return (size > 1 ? blame(rejection, batch) : undefined) ?? all(size, { is: 'refused', error })
  }
  if (size === 1) return [outcomeOfItem(rejection, messages[0])]
  return blame(rejection, batch) ?? all(size, { is: 'culpritUnknown', error })
}

const isAboutProfile = ({ pointer }: ApiError): boolean => pointer?.includes('/profile') ?? false

/** Klaviyo takes a batch whole or not at all, so what no error points at goes again. Undefined when none points. */
function blame(
  { status, errors }: Rejection,
  { messages, itemsAt }: CalledItems,
): Outcome[] | undefined {
  const blamed = new Map<number, ApiError[]>()
  const sharing = new Set<number>()
  for (const error of errors) {
    const items = error.pointer === undefined ? [] : itemsAt(error.pointer)
    for (const item of items) {
      blamed.set(item, [...(blamed.get(item) ?? []), error])
      if (items.length > 1 || isAboutRepetition(error)) sharing.add(item)
    }
  }
  if (blamed.size === 0) return undefined
  return messages.map((message, item): Outcome => {
    const own = blamed.get(item)
    if (own === undefined) return { is: 'requeue' }
    const outcome = outcomeOfItem({ status, errors: own }, message)
    // Only a call of its own shows which of several items in an entry is bad, or whether just their
    // combination is.
    return sharing.has(item) && outcome.is === 'refused'
      ? { ...outcome, is: 'culpritUnknown' }
      : outcome
  })
}

/** The bulk endpoint fails on a repeated unique id; the single one records the first and accepts the second. */
const isAboutRepetition = ({ pointer }: ApiError): boolean =>
  pointer?.endsWith('/unique_id') ?? false

function outcomeOfItem(own: Rejection, message?: Message): Outcome {
  const decisive = own.errors.find((error) => !isAboutPhone(error)) ?? own.errors[0]
  const error = klaviyoError(own.status, decisive)
  const reduced = message && reduce(message, own)
  return reduced ? { is: 'retryWithout', message: reduced, error } : { is: 'refused', error }
}

/**
 * Leaves out a refused phone number, if an email remains. When two profiles have the identifiers (409), the email decides
 * whose profile it is: the phone number is left out, then our id of the account.
 */
function reduce(message: Message, { status, errors }: Rejection): Message | undefined {
  if (status === 409) return withoutPhone(message) ?? withoutExternalId(message)
  const isPhoneAlone = errors.length > 0 && errors.every(isAboutPhone)
  return status !== 413 && isPhoneAlone ? withoutPhone(message) : undefined
}

/** Undefined when there is no phone number, or nothing would be left without it. */
function withoutPhone(message: Message): Message | undefined {
  const { phoneNumber, ...profile } = message.profile
  if (phoneNumber === undefined || profile.email === undefined) return undefined
  if (!('channels' in message)) return { ...message, profile }
  const channels = message.channels.filter((channel) => channel !== 'sms')
  return channels.length === 0 ? undefined : { ...message, profile, channels }
}

function withoutExternalId(message: Message): Message | undefined {
  const { externalId, ...profile } = message.profile
  return externalId === undefined ? undefined : { ...message, profile }
}

/** Whether an error is about the phone number, which can be left out. */
export const isAboutPhone = ({ pointer, detail }: ApiError): boolean =>
  pointer?.includes('/phone_number') === true ||
  (!isFieldPointer(pointer) && /\bphone[_ ]number\b/i.test(detail ?? ''))

/** A pointer to the whole body or to an item does not name a field. */
const isFieldPointer = (pointer: string | undefined): boolean =>
  pointer !== undefined && !/(^|\/data|\/attributes|\/\d+)\/?$/.test(pointer)
