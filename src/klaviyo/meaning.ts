import type { PlatformError } from '../marketing/platform.js'
import { readApiErrors, type ApiError } from './api-error.js'
import type { Answered } from './exchange.js'
import { readRetryAfter } from './rate-reading.js'

/** What an answer means for the call as a whole (platform's guide to status codes and errors). */
export type Meaning =
  | { is: 'taken'; document: unknown }
  /** Trying again can help. */
  | { is: 'later'; code?: string; detail?: string; afterSeconds?: number; costsAttempt: boolean }
  /** The key, its scopes or the platform's URL: no send of any kind gets through. */
  | { is: 'misconfigured'; code?: string; detail?: string }
  /** Something in the body is wrong. */
  | { is: 'rejected' }

/** Seconds to wait after a 429 that does not say how long: the steady window. */
const unsaidWait = 60

/** What each status means; what is not listed goes by its first digit. */
const byStatus: Readonly<Record<number, Meaning['is']>> = {
  401: 'misconfigured',
  // The account cannot be used until somebody pays.
  402: 'misconfigured',
  403: 'misconfigured',
  // The next ones say that the URL or the revision is wrong, whatever the body holds.
  405: 'misconfigured',
  406: 'misconfigured',
  407: 'misconfigured',
  410: 'misconfigured',
  415: 'misconfigured',
  408: 'later',
  425: 'later',
  429: 'later',
}

export function meaningOf(answer: Answered, now: Date): Meaning {
  if (isFromAnother(answer)) return { is: 'later', ...fromAnother, costsAttempt: true }
  const { status } = answer
  switch (byStatus[status] ?? byFirstDigit(status)) {
    case 'taken':
      // The status says so. A body that cannot be read takes nothing back.
      return { is: 'taken', document: answer.document }
    case 'misconfigured':
      return status < 400 ? { is: 'misconfigured', ...redirected } : { is: 'misconfigured' }
    case 'later':
      return later(answer, now)
    case 'rejected':
      return isAboutTheRevision(answer) ? { is: 'misconfigured' } : { is: 'rejected' }
  }
}

function byFirstDigit(status: number): Meaning['is'] {
  if (status >= 500) return 'later'
  if (status >= 400) return 'rejected'
  // A redirect is never followed: it would carry the key to another place.
  if (status >= 300) return 'misconfigured'
  return status >= 200 ? 'taken' : 'later'
}

/**
 * A page instead of a document: a proxy, a captive portal, or the platform's shield in front of its
 * API, which challenges with 403 now and then (klaviyo-api-python issue 84). It is neither a yes nor
 * a no of the platform itself.
 */
function isFromAnother({ status, headers }: Answered): boolean {
  if (status >= 300 && status !== 403) return false
  return /^text\/html\b/i.test(headers.get('content-type') ?? '') || headers.has('cf-mitigated')
}

const fromAnother = {
  code: 'UNREADABLE_ANSWER',
  detail: 'A page came back instead of an answer of the platform.',
}

const redirected = {
  code: 'REDIRECTED',
  detail: 'The platform answered with a redirect, which is not followed.',
}

function later({ status, headers }: Answered, now: Date): Meaning {
  const asked = readRetryAfter(headers, now)
  const afterSeconds = asked ?? (status === 429 ? unsaidWait : undefined)
  return {
    is: 'later',
    costsAttempt: status !== 429,
    ...(afterSeconds !== undefined && { afterSeconds }),
  }
}

/** The platform retires revisions after some years. No send is to blame for that. */
function isAboutTheRevision(answer: Answered): boolean {
  const errors = errorsOf(answer)
  return errors.length > 0 && errors.every(({ parameter }) => parameter === 'revision')
}

/** The errors that an answer names; empty when it names none. */
export const errorsOf = ({ document }: Answered): ApiError[] => readApiErrors(document) ?? []

/** An answer that says yes and does not say what was asked for. */
export const unreadableAnswer = (status: number): PlatformError => ({
  code: 'UNREADABLE_ANSWER',
  detail: 'The answer of the platform could not be read.',
  status,
})
