import type { Message } from '../marketing/message.js'
import type { CallFailure, Outcome, PlatformError } from '../marketing/platform.js'
import { withoutExternalId, withoutPhone } from './amended.js'
import { platformError, type ApiError } from './api-error.js'
import type { ApiAnswer } from './exchange.js'
import { errorsOf, meaningOf, type Meaning } from './meaning.js'

/** What was in a call. */
export interface Batch {
  size: number
  /**
   * Indexes of the items that stand at a place of the body: several where they share it, none where
   * the pointer names no item.
   */
  itemsAt(pointer: string): readonly number[]
  /** The message of an item; undefined where there is none to amend. */
  messageAt(index: number): Message | undefined
  /** What a 404 is about. */
  list?: string
}

export interface Reading {
  now: Date
  apiKey: string
}

/** One outcome for each item of the batch; `delivered` stands for all when the call was taken. */
export function outcomesOf(
  answer: ApiAnswer,
  batch: Batch,
  { delivered, ...reading }: Reading & { delivered: (document: unknown) => Outcome },
): Outcome[] {
  const failed = failureOf(answer, reading)
  if (failed !== undefined) return all(batch, failed)
  if (answer.is !== 'answered') return tooLarge(batch, answer.error)
  const meaning = meaningOf(answer, reading.now)
  if (meaning.is === 'taken') return all(batch, delivered(meaning.document))
  return rejected({
    status: answer.status,
    errors: errorsOf(answer),
    batch,
    apiKey: reading.apiKey,
  })
}

/** What failed when it is nothing about one item; undefined when it may be. */
export function failureOf(
  answer: ApiAnswer,
  { now, apiKey }: Reading,
): CallFailure['failed'] | undefined {
  if (answer.is === 'lost') return { is: 'later', error: answer.error, costsAttempt: true }
  if (answer.is === 'key-unreadable') return { is: 'misconfigured', error: answer.error }
  if (answer.is === 'too-large') return undefined
  const meaning = meaningOf(answer, now)
  if (meaning.is === 'taken' || meaning.is === 'rejected') return undefined
  const error = errorOf(meaning, platformError(answer.status, apiKey, errorsOf(answer)[0]))
  if (meaning.is === 'misconfigured') return { is: 'misconfigured', error }
  const { afterSeconds, costsAttempt } = meaning
  return { is: 'later', error, costsAttempt, ...(afterSeconds !== undefined && { afterSeconds }) }
}

/** Our own words where the platform's are none. */
const errorOf = (
  { code, detail }: Extract<Meaning, { is: 'later' | 'misconfigured' }>,
  error: PlatformError,
): PlatformError => ({
  ...error,
  ...(code !== undefined && { code }),
  ...(detail !== undefined && { detail }),
})

const all = ({ size }: Batch, outcome: Outcome): Outcome[] => Array<Outcome>(size).fill(outcome)

const tooLarge = (batch: Batch, error: PlatformError): Outcome[] =>
  all(batch, { is: batch.size === 1 ? 'refused' : 'suspect', error })

interface Rejection {
  status: number
  errors: readonly ApiError[]
  batch: Batch
  apiKey: string
}

function rejected(rejection: Rejection): Outcome[] {
  const { status, batch } = rejection
  if (status === 404 || rejection.errors.some(isAboutList)) return notFound(rejection)
  if (batch.size === 1) return [judge(0, rejection.errors, rejection)]
  return blame(rejection) ?? all(batch, { is: 'suspect', error: firstError(rejection) })
}

/**
 * The platform takes a batch whole or not at all. Items that the errors point at are judged, the
 * others were refused only because of them. Undefined when nothing is pointed at.
 */
function blame(rejection: Rejection): Outcome[] | undefined {
  const { batch, errors } = rejection
  const blamed = new Map<number, ApiError[]>()
  const sharing = new Set<number>()
  for (const error of errors) {
    const items = error.pointer === undefined ? [] : batch.itemsAt(error.pointer)
    for (const item of items) {
      blamed.set(item, [...(blamed.get(item) ?? []), error])
      if (items.length > 1 || isAboutRepetition(error)) sharing.add(item)
    }
  }
  if (blamed.size === 0) return undefined
  return Array.from({ length: batch.size }, (_, item): Outcome => {
    const itemErrors = blamed.get(item)
    if (itemErrors === undefined) return { is: 'again' }
    const outcome = judge(item, itemErrors, rejection)
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
function judge(item: number, errors: readonly ApiError[], rejection: Rejection): Outcome {
  const { status, batch, apiKey } = rejection
  const message = batch.messageAt(item)
  const decisive = errors.find((error) => !isAboutPhone(error)) ?? errors[0]
  const error = platformError(status, apiKey, decisive)
  const amended = message === undefined ? undefined : amend(message, { status, errors })
  return amended === undefined
    ? { is: 'refused', error }
    : { is: 'amended', message: amended, error }
}

/**
 * A phone number that the platform does not take is left out when an email remains. So it is when two
 * profiles have the identifiers (409): the email says whose profile it is, the weaker ones go, first
 * the phone number, then our id of the account.
 */
function amend(
  message: Message,
  { status, errors }: { status: number; errors: readonly ApiError[] },
): Message | undefined {
  if (status === 409) return withoutPhone(message) ?? withoutExternalId(message)
  const isPhoneAlone = errors.length > 0 && errors.every(isAboutPhone)
  return status !== 413 && isPhoneAlone ? withoutPhone(message) : undefined
}

/** Whether an error is about the phone number, which can be left out. */
export const isAboutPhone = ({ pointer, detail }: ApiError): boolean =>
  pointer?.includes('/phone_number') === true ||
  (!isFieldPointer(pointer) && /\bphone[_ ]number\b/i.test(detail ?? ''))

/** A pointer to the whole or to an item says nothing of the field. */
const isFieldPointer = (pointer: string | undefined): boolean =>
  pointer !== undefined && !/(^|\/data|\/attributes|\/\d+)\/?$/.test(pointer)

const isAboutList = ({ pointer }: ApiError): boolean =>
  pointer?.includes('/relationships/list') ?? false

/** The list is gone, or what an error names is. Without a list, the URL of the platform is wrong. */
function notFound(rejection: Rejection): Outcome[] {
  const { batch } = rejection
  const error = firstError(rejection)
  if (batch.list === undefined) return all(batch, { is: 'misconfigured', error })
  return (batch.size > 1 ? blame(rejection) : undefined) ?? all(batch, { is: 'refused', error })
}

const firstError = ({ status, apiKey, errors }: Rejection): PlatformError =>
  platformError(status, apiKey, errors[0])
