import { randomUUID } from 'node:crypto'

import type { Answer } from './answer-parts.ts'
import { ApiError, errorDocument } from './api-error.ts'
import { ConnectionLost, type Fault } from './faults.ts'
import type { RateDecision } from './rate-windows.ts'
import { MEDIA_TYPE } from './published.ts'

type HeaderFields = Readonly<Record<string, string>>

export function answerResponse({ status, document }: Answer, headers: HeaderFields): Response {
  if (document === undefined) return new Response(null, { status, headers })
  return jsonResponse(status, document, headers)
}

export const errorResponse = (error: ApiError, headers: HeaderFields = {}): Response =>
  jsonResponse(error.status, errorDocument(error, randomUUID), { ...headers, ...error.headers })

const jsonResponse = (status: number, document: unknown, headers: HeaderFields): Response =>
  new Response(JSON.stringify(document), {
    status,
    headers: { 'content-type': MEDIA_TYPE, ...headers },
  })

/** On every answer but 429: the state of the steady window. */
export function rateHeaders(decision: RateDecision | undefined): Record<string, string> {
  if (!decision) return {}
  if (!decision.isAllowed) throw throttled(decision.retryAfterSeconds)
  return {
    'ratelimit-limit': String(decision.limit),
    'ratelimit-remaining': String(decision.remaining),
    'ratelimit-reset': String(decision.resetSeconds),
  }
}

const throttled = (seconds: number): ApiError =>
  new ApiError(
    429,
    [
      {
        code: 'throttled',
        detail: `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`,
        pointer: '/data/',
      },
    ],
    { 'retry-after': String(seconds) },
  )

/** What a fault answers in place of the endpoint. */
export function faultError({ kind, status = 500, seconds = 1 }: Fault): ApiError {
  switch (kind) {
    case 'wrong-key':
      return new ApiError(401, [
        { code: 'authentication_failed', detail: 'Incorrect authentication credentials.' },
      ])
    case 'forbidden':
      return new ApiError(403, [
        { code: 'permission_denied', detail: 'The API key lacks a required scope.' },
      ])
    case 'retired':
      return new ApiError(410, [
        { code: 'gone', detail: 'This revision is retired.', parameter: 'revision' },
      ])
    case 'throttle':
      return throttled(seconds)
    case 'redirect':
      return new ApiError(307, [{ code: 'moved', detail: 'The API is elsewhere.' }], {
        location: 'https://elsewhere.invalid/api',
      })
    default:
      return new ApiError(status, [{ code: 'error', detail: 'A server error occurred.' }])
  }
}

/** The answer's first half, then nothing. An answer without a body promises one. */
export async function truncated(response: Response): Promise<Response> {
  const whole = Buffer.from(await response.arrayBuffer())
  const promised = whole.length > 0 ? whole : Buffer.from('{"data":null}')
  const half = promised.subarray(0, Math.ceil(promised.length / 2))
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(half),
      pull: (controller) => controller.error(new ConnectionLost('terminated')),
    },
    { highWaterMark: 0 },
  )
  const headers = new Headers(response.headers)
  headers.set('content-length', String(promised.length))
  headers.set('content-type', MEDIA_TYPE)
  return new Response(body, { status: response.status === 204 ? 200 : response.status, headers })
}

/** Never an answer; ends with the caller's patience. */
export const hanging = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason as Error)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
