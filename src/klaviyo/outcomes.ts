import type { Message } from '../marketing/message.js'
import type { Outcome, PlatformError } from '../marketing/platform.js'
import type { Profile } from '../marketing/profile.js'
import { platformError, type ApiError, type Reading } from './call.js'

/** What was in a call. */
export interface Batch {
  /** The message of each item; undefined where there is none to amend. */
  messages: readonly (Message | undefined)[]
  /** Indexes of the items at a place of the body: several where they share it, or none. */
  itemsAt: (pointer: string) => readonly number[]
  /** What a 404 is about. */
  list?: string | undefined
  /** What an answer that says yes means for each of them. */
  delivered?: (document: unknown) => Outcome
}

/** One outcome for each item of the batch. */
export function outcomesOf(reading: Reading, batch: Batch): Outcome[] {
  const { messages, delivered = () => ({ is: 'delivered' }) } = batch
  const size = messages.length
  if (reading.is === 'taken') return all(size, delivered(reading.document))
  if (reading.is === 'rejected') return rejected(reading, batch)
  // A batch that is too large as a whole is refused before it is sent.
  return all(size, reading.is === 'refused' && size > 1 ? { ...reading, is: 'suspect' } : reading)
}

const all = (size: number, outcome: Outcome): Outcome[] => Array<Outcome>(size).fill(outcome)

type Rejection = Extract<Reading, { is: 'rejected' }>

function rejected(rejection: Rejection, batch: Batch): Outcome[] {
  const { status, errors } = rejection
  const { messages, list } = batch
  const size = messages.length
  const error = platformError(status, errors[0])
  const isAboutList = errors.some(({ pointer }) => pointer?.includes('/relationships/list'))
  if (status === 404 || isAboutList) {
    // Without a list it is the endpoint that is not there: a wrong URL.
    if (list === undefined) return all(size, { is: 'misconfigured', error })
    return (size > 1 ? blame(rejection, batch) : undefined) ?? all(size, { is: 'refused', error })
  }
  if (size === 1) return [judge(rejection, messages[0])]
  return blame(rejection, batch) ?? all(size, { is: 'suspect', error })
}

/**
 * The platform takes a batch whole or not at all. Items that the errors point at are judged, the
 * others were refused only because of them. Undefined when nothing is pointed at.
 */
function blame({ status, errors }: Rejection, { messages, itemsAt }: Batch): Outcome[] | undefined {
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
    if (own === undefined) return { is: 'again' }
    const outcome = judge({ status, errors: own }, message)
    // Which of several that share a place is bad, or whether only their company is, shows alone.
    return sharing.has(item) && outcome.is === 'refused' ? { ...outcome, is: 'suspect' } : outcome
  })
}

/**
 * The bulk endpoint fails on a repeated unique id, where the one for a single event records the first
 * and takes the second for granted.
 */
const isAboutRepetition = ({ pointer }: ApiError): boolean =>
  pointer?.endsWith('/unique_id') ?? false

/** One item and the errors that are its own. */
function judge(own: Pick<Rejection, 'status' | 'errors'>, message?: Message): Outcome {
  const decisive = own.errors.find((error) => !isAboutPhone(error)) ?? own.errors[0]
  const error: PlatformError = platformError(own.status, decisive)
  const amended = message && amend(message, own)
  return amended ? { is: 'amended', message: amended, error } : { is: 'refused', error }
}

/**
 * A phone number that the platform does not take is left out when an email remains. So it is when two
 * profiles have the identifiers (409): the email says whose profile it is, the weaker ones go, first
 * the phone number, then our id of the account.
 */
function amend(
  message: Message,
  { status, errors }: Pick<Rejection, 'status' | 'errors'>,
): Message | undefined {
  if (status === 409) return withoutPhone(message) ?? withoutExternalId(message)
  const isPhoneAlone = errors.length > 0 && errors.every(isAboutPhone)
  return status !== 413 && isPhoneAlone ? withoutPhone(message) : undefined
}

/** Undefined when it has no phone number, or nothing would be left without it. */
function withoutPhone(message: Message): Message | undefined {
  const { phoneNumber, ...profile } = message.profile
  if (phoneNumber === undefined || profile.email === undefined) return undefined
  if (message.kind !== 'subscribe') return withProfile(message, profile)
  const channels = message.channels.filter((channel) => channel !== 'sms')
  return channels.length === 0 ? undefined : { ...message, profile, channels }
}

function withoutExternalId(message: Message): Message | undefined {
  const { externalId, ...profile } = message.profile
  return externalId === undefined ? undefined : withProfile(message, profile)
}

const withProfile = (message: Message, profile: Profile): Message => ({ ...message, profile })

/** Whether an error is about the phone number, which can be left out. */
export const isAboutPhone = ({ pointer, detail }: ApiError): boolean =>
  pointer?.includes('/phone_number') === true ||
  (!isFieldPointer(pointer) && /\bphone[_ ]number\b/i.test(detail ?? ''))

/** A pointer to the whole or to an item says nothing of the field. */
const isFieldPointer = (pointer: string | undefined): boolean =>
  pointer !== undefined && !/(^|\/data|\/attributes|\/\d+)\/?$/.test(pointer)
