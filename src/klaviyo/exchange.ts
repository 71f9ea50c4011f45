import type { CallOptions, PlatformError } from '../marketing/platform.js'
import { readAnswerDocument } from './answer-document.js'
import { jsonText } from './json-text.js'
import { bodyBytesLimit } from './limits.js'
import { untilAborted } from './until-aborted.js'

/** The revision whose documents the bodies and answers here follow. */
export const revision = '2026-07-15'

/** Bytes that an answer may have where nothing else is said. */
const answerBytesLimit = 1_000_000

export interface ApiRequest {
  method: 'GET' | 'POST'
  /** Below the platform's URL, each part of it encoded. */
  path: string
  query?: Record<string, string>
  body?: unknown
  answerBytes?: number
}

/** What came back of a request, before anybody says what it means. */
export type ApiAnswer =
  | Answered
  /** No answer came; the request may have arrived all the same. */
  | { is: 'lost'; error: PlatformError }
  /** It was not sent. */
  | { is: 'too-large'; error: PlatformError }
  | { is: 'key-unreadable'; error: PlatformError }

export interface Answered {
  is: 'answered'
  status: number
  headers: Headers
  /** Undefined where the body was no JSON, or not all of it came. */
  document: unknown
}

/** One request, one answer: never thrown, never repeated, never redirected. */
export type Exchange = (request: ApiRequest, options: CallOptions) => Promise<ApiAnswer>

export interface ExchangeParts {
  /** Such as `https://a.klaviyo.com`. */
  apiUrl: string
  fetch: typeof fetch
}

export function createExchange({ apiUrl, fetch }: ExchangeParts): Exchange {
  const base = readApiUrl(apiUrl)

  return async ({ method, path, query, body, answerBytes = answerBytesLimit }, options) => {
    if (!isHeaderText(options.apiKey)) return { is: 'key-unreadable', error: unreadableKey }
    const text = body === undefined ? undefined : jsonText(body)
    if (text !== undefined && Buffer.byteLength(text) > bodyBytesLimit) {
      return { is: 'too-large', error: tooLarge }
    }
    const url = new URL(base + path)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const init: RequestInit = {
      method,
      headers: headersOf(options.apiKey, text !== undefined),
      redirect: 'manual',
      signal: options.signal,
      ...(text !== undefined && { body: text }),
    }
    return ask(() => fetch(url, init), answerBytes, options.signal)
  }
}

async function ask(
  send: () => Promise<Response>,
  answerBytes: number,
  signal: AbortSignal,
): Promise<ApiAnswer> {
  let response: Response
  try {
    signal.throwIfAborted()
    response = await untilAborted(send(), signal)
  } catch (cause) {
    return { is: 'lost', error: signal.aborted ? timedOut : unreachable(cause) }
  }
  const { status, headers } = response
  const document = await untilAborted(readAnswerDocument(response, answerBytes), signal).catch(
    () => undefined,
  )
  return { is: 'answered', status, headers, document }
}

const headersOf = (apiKey: string, hasBody: boolean): Record<string, string> => ({
  authorization: `Klaviyo-API-Key ${apiKey}`,
  revision,
  accept: 'application/vnd.api+json',
  'user-agent': 'payload-storeconnect',
  ...(hasBody && { 'content-type': 'application/vnd.api+json' }),
})

/** Node's fetch names a header's bad value in its error: such a key must not get that far. */
const isHeaderText = (apiKey: string): boolean => /^[\x21-\x7e]+$/.test(apiKey)

function readApiUrl(apiUrl: string): string {
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined
  const isPlain = url?.search === '' && url.hash === '' && url.username === ''
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('The URL of the marketing platform must be a plain http or https URL.')
  }
  return url.href.replace(/\/+$/, '')
}

const unreadableKey: PlatformError = {
  code: 'KEY_UNREADABLE',
  detail: 'The private API key holds characters that no key has, such as a space or a line break.',
}

const tooLarge: PlatformError = {
  code: 'TOO_LARGE',
  detail: `The request would be larger than the platform takes (${bodyBytesLimit} bytes).`,
}

const timedOut: PlatformError = {
  code: 'TIMEOUT',
  detail: 'The platform did not answer in time.',
}

/** Says no more than the system's code: messages of network errors may hold headers. */
function unreachable(error: unknown): PlatformError {
  const code = systemCode(error) ?? systemCode(causeOf(error))
  const why = code === undefined ? '' : ` (${code})`
  return { code: 'NETWORK', detail: `The platform could not be reached${why}.` }
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' && /^[A-Z0-9_]{1,40}$/.test(error.code)
    ? error.code
    : undefined
}
