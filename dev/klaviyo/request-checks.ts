import { ApiError } from './api-error.ts'
import type { Bodies } from './bodies.ts'
import { calls, type CallName, type Scope } from './calls.ts'
import { escaped, hasDocument, MEDIA_TYPE, published } from './published.ts'

/** The newest revision of the API that the stand-in knows. */
export const revision = '2026-07-15'

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

export function checkRevision(headers: Headers): void {
  const asked = headers.get('revision')
  const problem = (detail: string) =>
    new ApiError(400, [{ code: 'invalid', detail, parameter: 'revision' }])
  if (asked === null) throw problem('The revision header is required.')
  const day = /^(\d{4}-\d\d-\d\d)(?:\.[a-z]+)?$/.exec(asked)?.[1]
  if (day === undefined || day > revision) throw problem(`There is no revision ${asked}.`)
}

/** Refuses a parameter that the call does not have, or a value that the parameter does not take. */
export function checkQuery(name: CallName, query: URLSearchParams): void {
  if (!hasDocument(name)) return
  for (const [parameter, text] of query) {
    const problems = published(name).query(parameter)?.(text)
    if (problems?.length === 0) continue
    const detail = `'${text}' is not a value for '${parameter}' here.`
    throw new ApiError(400, [{ code: 'invalid', detail, parameter }])
  }
}

export const takesBody = (name: CallName, bodies: Bodies): name is keyof Bodies => name in bodies

/** The body of a call, once it has passed what the stand-in and the document of the call ask for. */
export function readBody(
  { headers, text }: { headers: Headers; text: string },
  name: keyof Bodies,
  bodies: Bodies,
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
  const findings = findingsIn(body, name, bodies)
  if (findings.size === 0) return body
  throw new ApiError(
    400,
    [...findings].slice(0, MAX_FINDINGS).map(([pointer, detail]) => ({
      code: 'invalid',
      detail,
      pointer: pointer || '/data',
    })),
  )
}

/** More say nothing new. */
const MAX_FINDINGS = 20

/** What is wrong with a body, by the pointers. */
function findingsIn(body: unknown, name: keyof Bodies, bodies: Bodies): Map<string, string> {
  const found = new Map<string, string>()
  for (const { path, message } of bodies[name].safeParse(body).error?.issues ?? []) {
    found.set(path.map((part) => `/${escaped(String(part))}`).join(''), message)
  }
  const problems = hasDocument(name) ? published(name).body?.(body) : undefined
  for (const { instancePath, message = 'Is not valid.', params } of problems ?? []) {
    const { missingProperty, additionalProperty } = params as Record<string, string | undefined>
    const field = missingProperty ?? additionalProperty
    const pointer = field === undefined ? instancePath : `${instancePath}/${escaped(field)}`
    if (!found.has(pointer)) found.set(pointer, message)
  }
  // Of a value that may be null, the document says that it is not, beside what is wrong in it.
  const pointers = [...found.keys()]
  const isWithin = (outer: string) => pointers.some((inner) => inner.startsWith(`${outer}/`))
  for (const pointer of pointers) if (isWithin(pointer)) found.delete(pointer)
  return found
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
