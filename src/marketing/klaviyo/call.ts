import * as z from 'zod/mini'
import type { CallFailure, KlaviyoError, RateLimit, Reply } from './call-answer.js'
import {
  problem,
  revisionRetired,
  type Answered,
  type ApiAnswer,
  type ApiRequest,
  type CallContext,
} from './ask-api.js'
import { parseUrl } from '../../core/http/public-origin.js'
import { withoutPeople } from './klaviyo-error-text.js'

/** In seconds. */
const steadyWindow = 60

/** `RateLimit-Limit` is a number, or lists its windows (`150, 10;w=1, 150;w=60`); then the window of a minute counts. */
export function readRate(status: number, headers: Headers, now: Date): RateLimit | undefined {
  const limits = Object.entries({
    limit: readLimit(headers.get('ratelimit-limit')),
    remaining: readCount(headers.get('ratelimit-remaining')),
    resetSeconds: readCount(headers.get('ratelimit-reset')),
    retryAfterSeconds: status === 429 ? readRetryAfter(headers, now) : undefined,
  } satisfies Record<keyof RateLimit, number | undefined>)
  const given = limits.filter(([, value]) => value !== undefined)
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

/** In seconds. A mistake of Klaviyo must not stop a shop for years. */
const longestRetryAfter = 60 * 60

/** `Retry-After` is a number or a date. */
function readRetryAfter(headers: Headers, now: Date): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  const isNumber = /^\d{1,9}(\.\d{1,9})?$/.test(value)
  const at = /^[A-Za-z]/.test(value) ? Date.parse(value) : NaN
  const seconds = isNumber ? Number(value) : (at - now.getTime()) / 1000
  if (Number.isNaN(seconds)) return undefined
  return Math.min(longestRetryAfter, Math.max(0, Math.ceil(seconds)))
}

function readLimit(header: string | null): number | undefined {
  const entries = (header ?? '').split(',')
  const windowed = entries.flatMap((entry) => {
    const [count, ...attributes] = entry.split(';').map((part) => part.trim())
    const isSteady = attributes.includes(`w=${steadyWindow}`)
    return isSteady ? (readCount(count ?? null) ?? []) : []
  })
  // A header without windows is one number. If it lists only other windows, its number may be the limit
  // of a second.
  const plain = entries.length === 1 ? readCount(header) : undefined
  return windowed[0] ?? plain
}

function readCount(header: string | null): number | undefined {
  const value = header?.trim() ?? ''
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined
}

/** What an answer means for the call as a whole (Klaviyo's guide to status codes and errors). */
export type CallResult =
  /** The status reports success, even if the body cannot be read. */
  | { is: 'taken'; status: number; document: unknown }
  /** Something in the request is wrong. */
  | { is: 'rejected'; status: number; errors: ApiError[] }
  | Failure

type Failure = CallFailure['failed']

/** What we keep of one error in Klaviyo's error document. */
export type ApiError = Partial<
  Record<'code' | 'title' | 'detail' | 'pointer' | 'parameter', string | undefined>
>

export async function call(
  context: CallContext,
  request: ApiRequest,
): Promise<{ result: CallResult; rate?: RateLimit }> {
  const answer = await context.askApi(request, context)
  if (answer.is !== 'answered') return { result: readFailure(answer) }
  const { status, headers } = answer
  context.onAnswer?.({ status, requestId: requestIdOf(headers) })
  const rate = readRate(status, headers, context.now())
  return { result: readAnswer(answer, context), ...(rate && { rate }) }
}

/** Klaviyo's documents do not name this header, but its answers have it. */
function requestIdOf(headers: Headers): string | undefined {
  const id = headers.get('x-klaviyo-req-id') ?? ''
  return /^[\w-]{1,64}$/.test(id) ? id : undefined
}

function readFailure({ is, error }: Exclude<ApiAnswer, Answered>): CallResult {
  if (is === 'lost') return { is: 'later', error, costsAttempt: true }
  return { is: is === 'too-large' ? 'refused' : 'misconfigured', error }
}

function readAnswer(answer: Answered, { apiKey, now }: CallContext): CallResult {
  const { status, headers, document } = answer
  const errors = readErrors(document, apiKey)
  const error = klaviyoError(status, errors[0])
  if (isFromProxy(answer)) return { is: 'later', error: { ...error, ...aPage }, costsAttempt: true }
  if (status < 200 || status >= 500 || passing.has(status)) {
    const afterSeconds = readRetryAfter(headers, now())
    const wait = afterSeconds !== undefined && { afterSeconds }
    return { is: 'later', error, costsAttempt: status !== 429, ...wait }
  }
  if (status < 300) return { is: 'taken', status, document }
  // A redirect is never followed: it would send the key to another server.
  if (status < 400) return { is: 'misconfigured', error: { ...error, ...redirected } }
  if (status === 410 || areAboutRevision(errors))
    return { is: 'misconfigured', error: { ...error, code: revisionRetired } }
  return aboutSettings.has(status)
    ? { is: 'misconfigured', error }
    : { is: 'rejected', status, errors }
}

const passing = new Set([408, 425, 429])

/** Statuses about the key, its scopes, an unpaid account or the URL. */
const aboutSettings = new Set([401, 402, 403, 405, 406, 407, 415])

/** Klaviyo retires revisions after some years. That is no send's fault. */
const areAboutRevision = (errors: readonly ApiError[]) =>
  errors.length > 0 && errors.every(({ parameter }) => parameter === 'revision')

/**
 * Whether a proxy answered, or the shield in front of Klaviyo, which may challenge with a 403 (klaviyo-api-python
 * issue 84): that says nothing about the request.
 */
function isFromProxy({ status, headers }: Answered): boolean {
  if (status >= 300 && status !== 403) return false
  return /^text\/html\b/i.test(headers.get('content-type') ?? '') || headers.has('cf-mitigated')
}

const aPage = problem('UNREADABLE_ANSWER', 'A page came back instead of an answer of Klaviyo.')

const redirected = problem('REDIRECTED', 'Klaviyo answered with a redirect, which is not followed.')

const noDocument = problem('UNREADABLE_ANSWER', 'The answer of Klaviyo could not be read.')

/** An answer that reports success but lacks the requested data. */
export const unreadable = (status: number): Failure => ({
  is: 'later',
  error: { ...noDocument, status },
  costsAttempt: true,
})

/** Ignores a field of an undocumented type, since the other fields are still useful. */
const text = (limit: number) => {
  const cut = z.transform((value: string) => value.slice(0, limit))
  return z.catch(z.optional(z.pipe(z.string(), cut)), undefined)
}

const apiError = z.pipe(
  z.object({
    code: text(100),
    title: text(200),
    detail: text(1000),
    source: z.catch(z.object({ pointer: text(300), parameter: text(100) }), {}),
  }),
  z.transform(({ source, ...error }): ApiError => ({ ...error, ...source })),
)

const errorDocument = z.object({ errors: z.array(z.unknown()) })

/** The API key is removed from the errors, in case Klaviyo quotes it. */
export function readErrors(document: unknown, apiKey: string): ApiError[] {
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

/** The error as the merchant and the log see it. */
export const klaviyoError = (status: number, error: ApiError = {}): KlaviyoError => ({
  code: error.code ?? `HTTP_${status}`,
  detail: withoutPeople(error.detail ?? error.title ?? `Klaviyo answered ${status}.`),
  status,
  ...(error.pointer !== undefined && { pointer: withoutPeople(error.pointer) }),
})

interface Question<Document> extends Omit<ApiRequest, 'method' | 'body'> {
  schema: z.ZodMiniType<Document>
  /** Whether the path contains an id, so that a 404 is about that id. */
  namesOne?: boolean
}

export async function ask<Document>(
  context: CallContext,
  { schema, namesOne = false, ...request }: Question<Document>,
): Reply<{ document: Document }> {
  const { result, ...rate } = await call(context, { method: 'GET', ...request })
  if (result.is === 'taken') {
    const { success, data } = schema.safeParse(result.document)
    return success ? { document: data, ...rate } : { failed: unreadable(result.status), ...rate }
  }
  if (result.is !== 'rejected') return { failed: result, ...rate }
  const { status, errors } = result
  // Without an id in the path a 404 means that the endpoint itself is missing: the URL is wrong.
  const is = status === 404 && !namesOne ? 'misconfigured' : 'refused'
  return { failed: { is, error: klaviyoError(status, errors[0]) }, ...rate }
}

/** One after another. Fails with the first that fails. */
export async function askEach<Asked, Document>(
  questions: readonly Asked[],
  askOne: (question: Asked) => Reply<{ document: Document }>,
): Reply<{ documents: Document[] }> {
  const documents: Document[] = []
  let rate = {}
  for (const question of questions) {
    const answer = await askOne(question)
    if ('failed' in answer) return answer
    const { document, ...rest } = answer
    documents.push(document)
    rate = rest
  }
  return { documents, ...rate }
}

/** Reads page after page. Fails when one fails, because a part would look complete. */
export async function askPages<Document extends { links?: z.infer<typeof pageLinks> }>(
  context: CallContext,
  { query, ...question }: Question<Document>,
  pageLimit: number,
): Reply<{ pages: Document[]; isComplete: boolean }> {
  const pages: Document[] = []
  let cursor: string | undefined
  for (;;) {
    const place = cursor === undefined ? {} : { 'page[cursor]': cursor }
    const answer = await ask(context, { ...question, query: { ...query, ...place } })
    if ('failed' in answer) return answer
    const { document, ...rate } = answer
    pages.push(document)
    cursor = nextCursor(document.links)
    // The limit also ends a cycle of next pages.
    if (cursor === undefined || pages.length === pageLimit) {
      return { pages, isComplete: cursor === undefined, ...rate }
    }
  }
}

export const pageLinks = z.nullish(z.object({ next: z.nullish(z.string()) }))

/** Only the cursor is taken from the link: no URL from an answer is ever called. */
export const nextCursor = (links: z.infer<typeof pageLinks>): string | undefined =>
  parseUrl(links?.next ?? '')?.searchParams.get('page[cursor]') ?? undefined
