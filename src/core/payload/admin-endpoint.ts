import { Forbidden, type BasePayload, type Endpoint, type PayloadRequest } from 'payload'
import { Problem, problemText } from '../errors.js'
import { createOwnOrigins, isFromOwnSite } from '../http/public-origin.js'
import { englishText } from '../translations/translation.js'
import type { IsAdmin } from './admin-access.js'
import { translatorOf, type Translator } from './label.js'

/** Decides whom an endpoint for admins answers. */
export interface EndpointAccess {
  isAdmin: IsAdmin
  /** Whether one of the store's sites is on the origin. */
  hasOrigin: (payload: BasePayload, origin: string) => Promise<boolean>
}

interface AdminEndpoint {
  method: 'get' | 'post'
  path: string
  answer: (req: PayloadRequest) => Promise<Response>
}

/**
 * An endpoint for admins, whose answers no cache keeps. It accepts a post only from a page of the store. Payload alone would accept
 * one from any site, because it trusts the login cookie from everywhere while the config has no `csrf`.
 */
export const adminEndpoint = (
  { isAdmin, hasOrigin }: EndpointAccess,
  { method, path, answer }: AdminEndpoint,
): Omit<Endpoint, 'root'> => ({
  method,
  path,
  async handler(req) {
    // Payload puts these on the answer, also on that of an error.
    req.responseHeaders = withoutCaches(req.responseHeaders)
    try {
      if (method === 'post') {
        requireJson(req.headers)
        await requireOwnPage(req, hasOrigin)
      }
      if (!(await isAdmin({ req }))) throw new Forbidden(req.t)
      return await answer(req)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { code, status, message, log } = error
      const fields = { ...log, code, status }
      if (status >= 500) req.payload.logger.error(fields, message)
      else req.payload.logger.warn(fields, 'Request refused')
      const headers = { 'x-error-code': code }
      const errors = [{ message: problemMessage({ code, message }, translatorOf(req)) }]
      return Response.json({ errors }, { status, headers })
    }
  },
})

/** Makes endpoints for admins whose answers are JSON. */
export const jsonEndpoints =
  <Parts>(access: EndpointAccess & { partsOf: (payload: BasePayload) => Promise<Parts> }) =>
  (
    method: 'get' | 'post',
    path: string,
    read: (parts: Parts, req: PayloadRequest) => Promise<object>,
  ): Endpoint =>
    adminEndpoint(access, {
      method,
      path,
      answer: async (req) => Response.json(await read(await access.partsOf(req.payload), req)),
    })

function withoutCaches(given: Headers | undefined): Headers {
  const headers = new Headers(given)
  headers.set('cache-control', 'no-store')
  return headers
}

/** The sentence of an error in the language of the reader; without a translation, its own message. */
function problemMessage(
  { code, message }: Pick<Problem, 'code' | 'message'>,
  translate: Translator,
): string {
  const key = problemText(code)
  const text = key && translate(key)
  return key === undefined || text === undefined || text === englishText(key) ? message : text
}

/** A foreign form can post any type but JSON. A post without a body has no type, and passes. */
function requireJson(headers: Headers): void {
  const type = headers.get('content-type')
  if (type === null || /^application\/json\s*(?:;|$)/i.test(type)) return
  throw new Problem('BODY_NOT_JSON')
}

async function requireOwnPage(
  { headers, payload, url }: PayloadRequest,
  hasOrigin: EndpointAccess['hasOrigin'],
): Promise<void> {
  const { serverURL, csrf } = payload.config
  const request = { url: url ?? serverURL, headers }
  if (isFromOwnSite(request, createOwnOrigins([serverURL, ...csrf]))) return
  const origin = headers.get('origin') ?? ''
  // A browser reports one of our own sites as cross-site when its domain is not the admin's.
  if (csrf.includes(origin) || (await hasOrigin(payload, origin))) return
  throw new Problem('ORIGIN_FOREIGN', { log: { origin } })
}
