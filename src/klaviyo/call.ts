import { z } from 'zod'
import type { CallFailure, PlatformError, RateReading } from '../marketing/platform.js'
import {
  problem,
  type Answered,
  type ApiAnswer,
  type ApiRequest,
  type CallContext,
} from './exchange.js'
import { readRate, readRetryAfter } from './rate-reading.js'

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

/** Makes a request, and says what the answer means and what it tells of the limits. */
export async function call(
  context: CallContext,
  request: ApiRequest,
): Promise<{ reading: Reading; rate?: RateReading }> {
  const answer = await context.exchange(request, context)
  if (answer.is !== 'answered') return { reading: readFailure(answer) }
  const rate = readRate(answer.status, answer.headers, context.now())
  return { reading: readAnswer(answer, context), ...(rate && { rate }) }
}

function readFailure({ is, error }: Exclude<ApiAnswer, Answered>): Reading {
  if (is === 'lost') return { is: 'later', error, costsAttempt: true }
  return { is: is === 'too-large' ? 'refused' : 'misconfigured', error }
}

function readAnswer(answer: Answered, { apiKey, now }: CallContext): Reading {
  const { status, headers, document } = answer
  const errors = readErrors(document, apiKey)
  const error = platformError(status, errors[0])
  if (isFromAnother(answer))
    return { is: 'later', error: { ...error, ...aPage }, costsAttempt: true }
  if (status < 200 || status >= 500 || passing.has(status)) {
    const afterSeconds = readRetryAfter(headers, now()) ?? (status === 429 ? unsaidWait : undefined)
    const wait = afterSeconds === undefined ? {} : { afterSeconds }
    return { is: 'later', error, costsAttempt: status !== 429, ...wait }
  }
  if (status < 300) return { is: 'taken', status, document }
  // A redirect is never followed: it would carry the key to another place.
  if (status < 400) return { is: 'misconfigured', error: { ...error, ...redirected } }
  return aboutSettings.has(status) || areAboutRevision(errors)
    ? { is: 'misconfigured', error }
    : { is: 'rejected', status, errors }
}

/** Seconds to wait after a 429 that does not say how long: the steady window. */
const unsaidWait = 60

const passing = new Set([408, 425, 429])

/** The key, its scopes, an unpaid account; then the URL or the revision, whatever the body holds. */
const aboutSettings = new Set([401, 402, 403, 405, 406, 407, 410, 415])

/** The platform retires revisions after some years. No send is to blame for that. */
const areAboutRevision = (errors: readonly ApiError[]) =>
  errors.length > 0 && errors.every(({ parameter }) => parameter === 'revision')

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
