import { z } from 'zod'
import type { CallFailure, PlatformError } from '../marketing/platform.js'
import { problem, type Answered, type ApiAnswer, type CallContext } from './exchange.js'
import { readRetryAfter } from './rate-reading.js'

/** What an answer means for the call as a whole (platform's guide to status codes and errors). */
export type Reading =
  /** The status says so. A body that cannot be read takes nothing back. */
  | { is: 'taken'; status: number; document: unknown }
  /** Something in the request is wrong. */
  | { is: 'rejected'; status: number; errors: ApiError[] }
  | Failure

type Failure = CallFailure['failed']

/** One error of the platform's error document: what we keep of it, and nothing else. */
export type ApiError = Partial<
  Record<'code' | 'title' | 'detail' | 'pointer' | 'parameter', string | undefined>
>

export function readAnswer(answer: ApiAnswer, { apiKey, now }: Reader): Reading {
  if (answer.is === 'lost') return { is: 'later', error: answer.error, costsAttempt: true }
  if (answer.is === 'key-unreadable') return { is: 'misconfigured', error: answer.error }
  if (answer.is === 'too-large') return { is: 'refused', error: answer.error }
  const { status, headers, document } = answer
  const errors = readErrors(document, apiKey)
  const error = platformError(status, errors[0])
  if (isFromAnother(answer))
    return { is: 'later', error: { ...error, ...aPage }, costsAttempt: true }
  switch (meaningOf(status, errors)) {
    case 'taken':
      return { is: 'taken', status, document }
    case 'rejected':
      return { is: 'rejected', status, errors }
    case 'misconfigured':
      return { is: 'misconfigured', error: { ...error, ...(status < 400 && redirected) } }
    case 'later': {
      const afterSeconds =
        readRetryAfter(headers, now()) ?? (status === 429 ? unsaidWait : undefined)
      const wait = afterSeconds === undefined ? {} : { afterSeconds }
      return { is: 'later', error, costsAttempt: status !== 429, ...wait }
    }
  }
}

type Reader = Pick<CallContext, 'apiKey' | 'now'>

/** Seconds to wait after a 429 that does not say how long: the steady window. */
const unsaidWait = 60

/** The key, its scopes, an unpaid account; then the URL or the revision, whatever the body holds. */
const aboutSettings = new Set([401, 402, 403, 405, 406, 407, 410, 415])

const passing = new Set([408, 425, 429])

function meaningOf(status: number, errors: readonly ApiError[]) {
  if (status < 200 || status >= 500 || passing.has(status)) return 'later'
  if (status < 300) return 'taken'
  // A redirect is never followed: it would carry the key to another place.
  if (status < 400 || aboutSettings.has(status)) return 'misconfigured'
  // The platform retires revisions after some years. No send is to blame for that.
  const isRevision = errors.length > 0 && errors.every(({ parameter }) => parameter === 'revision')
  return isRevision ? 'misconfigured' : 'rejected'
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

const aPage = problem('UNREADABLE_ANSWER', 'A page came back instead of an answer of the platform.')

const redirected = problem(
  'REDIRECTED',
  'The platform answered with a redirect, which is not followed.',
)

const noDocument = problem('UNREADABLE_ANSWER', 'The answer of the platform could not be read.')

/** An answer that says yes and does not say what was asked for. */
export const unreadable = (status: number): Failure => ({
  is: 'later',
  error: { ...noDocument, status },
  costsAttempt: true,
})

/** A field that is not as documented is left out; the others still tell something. */
const text = (limit: number) =>
  z
    .string()
    .transform((value) => value.slice(0, limit))
    .optional()
    .catch(undefined)

const apiError = z
  .object({
    code: text(100),
    title: text(200),
    detail: text(1000),
    source: z.object({ pointer: text(300), parameter: text(100) }).catch({}),
  })
  .transform(({ source, ...error }): ApiError => ({ ...error, ...source }))

const errorDocument = z.object({ errors: z.array(z.unknown()) })

/** The errors that a document names. The key is in none, not even when the platform quotes it. */
function readErrors(document: unknown, apiKey: string): ApiError[] {
  const { errors } = errorDocument.safeParse(document).data ?? { errors: [] }
  return errors.flatMap((error) => {
    const { data } = apiError.safeParse(error)
    if (data === undefined) return []
    const shown = Object.entries(data).map(([name, value]) => [
      name,
      value?.replaceAll(apiKey, '…'),
    ])
    return [Object.fromEntries(shown) as ApiError]
  })
}

/** For the merchant and the log. */
export const platformError = (status: number, error: ApiError = {}): PlatformError => ({
  code: error.code ?? `HTTP_${status}`,
  detail: error.detail ?? error.title ?? `The platform answered ${status}.`,
  status,
  ...(error.pointer !== undefined && { pointer: error.pointer }),
})
