import type { CallOptions, KlaviyoError } from './call-answer.js'
import type { Effects } from '../../core/effects.js'
import { bodyBytesLimit } from './limits.js'
import { bytesWithin } from '../../core/http/bytes-within.js'
import { parseUrl } from '../../core/http/public-origin.js'
import { createHash } from 'node:crypto'

/** The API revision that the bodies and answers here follow. */
export const revision = '2026-07-15'

const moved = (years: number, months: number): Date => {
  const at = new Date(revision)
  at.setUTCFullYear(at.getUTCFullYear() + years, at.getUTCMonth() + months)
  return at
}

/** Klaviyo serves a revision for two years. */
export const revisionEndsAt = moved(2, 0)

/** From when on a merchant reads that the revision ends. */
export const revisionEndsFrom = moved(2, -3)

/** The code of an error when Klaviyo no longer serves the revision. */
export const revisionRetired = 'REVISION_RETIRED'

/** How many bytes an answer may have by default. */
const answerBytesLimit = 1_000_000

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH'
  /** The path below Klaviyo's URL. Each of its parts is URL-encoded. */
  path: string
  query?: Record<string, string>
  body?: unknown
  answerBytes?: number
}

/** The raw answer to a request, before it is interpreted. */
export type ApiAnswer =
  | Answered
  /** No answer came (`lost`), or nothing was sent. */
  | { is: 'lost' | 'too-large' | 'key-unreadable'; error: KlaviyoError }

export interface Answered {
  is: 'answered'
  status: number
  headers: Headers
  /** The parsed body; undefined when it was not JSON or was incomplete. */
  document: unknown
}

/** Makes one request and resolves to its answer. It never throws, repeats or follows a redirect. */
export type AskApi = (request: ApiRequest, options: CallOptions) => Promise<ApiAnswer>

export interface CallContext extends CallOptions {
  askApi: AskApi
  now: () => Date
}

/**
 * @param apiUrl Such as `https://a.klaviyo.com`.
 * @param ownUrlOf The URL of a key whose calls go elsewhere.
 */
export function createAskApi(
  apiUrl: string,
  { fetch }: Pick<Effects, 'fetch'>,
  ownUrlOf: (apiKey: string) => string | undefined = () => undefined,
): AskApi {
  const base = readApiUrl(apiUrl)
  const urlFor = (apiKey: string): string => ownUrlOf(apiKey) ?? base

  return async (request, { apiKey, signal, isOver }) => {
    const { method, path, query, body, answerBytes = answerBytesLimit } = request
    // Node's fetch quotes an invalid header value in its error, so such a key must not reach it.
    if (!/^[\x21-\x7e]+$/.test(apiKey)) return { is: 'key-unreadable', error: unreadableKey }
    const text = body === undefined ? null : jsonText(body)
    if (text !== null && Buffer.byteLength(text) > bodyBytesLimit) {
      return { is: 'too-large', error: tooLarge }
    }
    const parameters = query ? `?${new URLSearchParams(query).toString()}` : ''
    const headers = {
      authorization: `Klaviyo-API-Key ${apiKey}`,
      revision,
      // A retired revision would be served as another one, whose answers may mean something else.
      'x-klaviyo-revision-fall-forward-opt-out': '1',
      accept: 'application/vnd.api+json',
      'user-agent': 'payload-storeconnect',
      ...(text !== null && { 'content-type': 'application/vnd.api+json' }),
    }
    const isLate = () => signal.aborted || isOver?.() === true
    const sentBody = text === null ? null : new BodyInTime(text, isLate)
    let response: Response
    if (isLate()) return { is: 'lost', error: timedOut }
    try {
      const sent = fetch(urlFor(apiKey) + path + parameters, {
        method,
        headers,
        redirect: 'manual',
        signal,
        body: sentBody,
      })
      response = await untilAborted(sent, signal)
    } catch (cause) {
      const isTimeUp = signal.aborted || sentBody?.isWithheld === true
      return { is: 'lost', error: isTimeUp ? timedOut : unreachable(cause) }
    }
    const document = await untilAborted(readDocument(response, answerBytes), signal).catch(
      () => undefined,
    )
    return { is: 'answered', status: response.status, headers: response.headers, document }
  }
}

/**
 * A body whose end is withheld when it is late: a process may be stopped while the connection is made, and go on later.
 * Node's fetch reads the first bytes before it has a connection, and the next ones when it writes.
 */
class BodyInTime extends Blob {
  isWithheld = false
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #isLate: () => boolean

  constructor(text: string, isLate: () => boolean) {
    const bytes = Buffer.from(text)
    super([bytes])
    this.#bytes = bytes
    this.#isLate = isLate
  }

  override stream() {
    const left = [this.#bytes.subarray(0, 1), this.#bytes.subarray(1)]
    const pull = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void => {
      this.isWithheld = this.#isLate()
      if (this.isWithheld) return controller.error(new DOMException('It is late.', 'AbortError'))
      const part = left.shift()
      if (part) controller.enqueue(part)
      if (left.length === 0) controller.close()
    }
    return new ReadableStream({ pull }, { highWaterMark: 0 })
  }
}

function readApiUrl(apiUrl: string): string {
  const url = parseUrl(apiUrl)
  const isPlain = url?.search === '' && url.hash === '' && url.username === ''
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('The URL of Klaviyo must be a plain http or https URL.')
  }
  return url.href.replace(/\/+$/, '')
}

/** JSON without half surrogate pairs: Klaviyo might fail on one, and the send would be tried for days. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  // JSON escapes only a half pair, so `\ud` is a half pair or harmless text that looks like one.
  return text.includes('\\ud') ? JSON.stringify(value, wellFormed) : text
}

function wellFormed(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toWellFormed(), inner]),
  )
}

/** Settles like the promise, or rejects when the signal fires: the fetch may not listen to it. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('The deadline has passed.', 'AbortError'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** @throws when the body is missing, not JSON, larger than the limit or incomplete. */
async function readDocument({ body }: Response, limit: number): Promise<unknown> {
  const bytes = await bytesWithin(body ?? [], limit)
  if (bytes === undefined) throw new RangeError('The answer is too large.')
  return JSON.parse(bytes.toString()) as unknown
}

export const problem = (code: string, detail: string): KlaviyoError => ({ code, detail })

const unreadableKey = problem(
  'KEY_UNREADABLE',
  'The private API key holds characters that no key has, such as a space or a line break.',
)

const tooLarge = problem(
  'TOO_LARGE',
  `The request would be larger than Klaviyo takes (${bodyBytesLimit} bytes).`,
)

const timedOut = problem('TIMEOUT', 'Klaviyo did not answer in time.')

/** Includes only the system's error code, because messages of network errors may contain headers. */
function unreachable(cause: unknown): KlaviyoError {
  const code = systemCode(cause)
  const why = code === undefined ? '' : ` (${code})`
  return problem('NETWORK', `Klaviyo could not be reached${why}.`)
}

/** The code of an error, or of its cause. */
function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? error.code : undefined
  const isKnown = typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code)
  return isKnown ? code : systemCode(error.cause)
}

/** A short hash that identifies a key in the database without revealing it. */
export const markOfKey = (apiKey: string): string =>
  createHash('sha256').update(apiKey).digest('hex').slice(0, 12)
