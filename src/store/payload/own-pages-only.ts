import type { PayloadHandler, PayloadRequest } from 'payload'
import { Problem } from '../../errors.js'
import { createOwnOrigins, isFromOwnSite } from '../../http/same-site.js'
import { installedIn } from '../../installation.js'

/**
 * The handler of an endpoint that changes something, for requests that no page of a stranger can
 * cause: Payload itself takes a login's cookie from anywhere while the config has no `csrf`.
 */
export const ownPagesOnly =
  (handler: PayloadHandler): PayloadHandler =>
  async (req) => {
    try {
      requireJson(req.headers)
      await requireOwnPage(req)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { code, status, message, log } = error
      req.payload.logger.warn({ ...log, code, status }, 'Request refused')
      return Response.json(
        { errors: [{ message }] },
        { status, headers: { 'x-error-code': code, 'cache-control': 'no-store' } },
      )
    }
    return handler(req)
  }

/** A plain form can post everything else to another site. What has no body needs no type. */
function requireJson(headers: Headers): void {
  const type = headers.get('content-type')
  if (type === null || /^application\/json\s*(?:;|$)/i.test(type)) return
  throw new Problem('BODY_NOT_JSON')
}

async function requireOwnPage({ headers, payload, url }: PayloadRequest): Promise<void> {
  const { serverURL, csrf } = payload.config
  const request = { url: url ?? serverURL, headers }
  if (isFromOwnSite(request, createOwnOrigins([serverURL, ...csrf]))) return
  const origin = headers.get('origin') ?? ''
  // On another domain than the admin's, a browser calls also a site of ours another site.
  if (csrf.includes(origin) || (await installedIn(payload)?.sites.hasOrigin(origin))) return
  throw new Problem('ORIGIN_FOREIGN', { log: { origin } })
}
