import { ApiError } from './api-error.ts'
import { calls, type CallName, type Scope } from './calls.ts'
import type { Check } from './check.ts'
import { requestBodies } from './request-bodies.ts'

/** The newest revision of the API that the stand-in knows. */
export const revision = '2026-07-15'

export const MEDIA_TYPE = 'application/vnd.api+json'
const MAX_BODY_BYTES = 5 * 1024 * 1024
const MAX_PROFILE_BODY_BYTES = 100 * 1024

/** A wrong key is 401; a right one that may not do this is 403. */
export function authenticate(
  headers: Headers,
  apiKeys: ReadonlyMap<string, readonly Scope[]>,
  name: CallName,
): void {
  const key = /^Klaviyo-API-Key (pk_\S+)$/.exec(headers.get('authorization') ?? '')?.[1]
  const scopes = key === undefined ? undefined : apiKeys.get(key)
  if (!scopes) {
    throw new ApiError(401, [
      { code: 'not_authenticated', detail: 'Missing or invalid private key.', pointer: '/data/' },
    ])
  }
  const missing = calls[name].scopes.filter((scope) => !scopes.includes(scope))
  if (missing.length > 0) {
    const detail = `The API key lacks the required scopes: ${missing.join(', ')}.`
    throw new ApiError(403, [{ code: 'permission_denied', detail, pointer: '/data/' }])
  }
}

/** Which body each call takes; `undefined` for a call without one. */
export type BodyChecks = Readonly<Partial<Record<CallName, Check>>>

export function bodyChecks(now: () => number): BodyChecks {
  const bodies = requestBodies(now)
  return {
    event: bodies.event,
    events: bodies.events,
    profile: bodies.profile,
    subscribe: bodies.subscriptions,
    unsubscribe: bodies.unsubscriptions,
    'list-members': bodies.listMembers,
    'delete-profile': bodies.deletion,
    'map-metric': bodies.mappedMetric,
  }
}

export function checkRevision(headers: Headers): void {
  const asked = headers.get('revision')
  const problem = (detail: string) =>
    new ApiError(400, [{ code: 'invalid', detail, parameter: 'revision' }])
  if (asked === null) throw problem('The revision header is required.')
  const day = /^(\d{4}-\d\d-\d\d)(?:\.[a-z]+)?$/.exec(asked)?.[1]
  if (day === undefined || day > revision) throw problem(`There is no revision ${asked}.`)
}

/** The body of a call, once it has passed everything that its document asks for. */
export function readBody(
  { headers, text }: { headers: Headers; text: string },
  name: CallName,
  check: Check,
): unknown {
  const mediaType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== MEDIA_TYPE || headers.has('content-encoding')) {
    const detail = `The content type must be ${MEDIA_TYPE}, and not encoded.`
    throw new ApiError(415, [{ code: 'unsupported_media_type', detail, pointer: '/data' }])
  }
  const limit = name === 'profile' ? MAX_PROFILE_BODY_BYTES : MAX_BODY_BYTES
  if (Buffer.byteLength(text) > limit) {
    const detail = `The body must not be larger than ${limit / 1024} KB.`
    throw new ApiError(413, [{ code: 'payload_too_large', detail, pointer: '/data' }])
  }
  const body = parseJson(text)
  const findings = check(body)
  if (findings.length === 0) return body
  throw new ApiError(
    400,
    findings.map(({ detail, pointer }) => ({
      code: 'invalid',
      detail,
      pointer: pointer || '/data',
    })),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The parser's own words would quote the body.
    throw new ApiError(400, [
      { code: 'parse_error', detail: 'The body is not valid JSON.', pointer: '/data' },
    ])
  }
}
