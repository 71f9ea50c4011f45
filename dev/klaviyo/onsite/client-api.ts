import type { Account } from '../account.ts'
import { ApiError } from '../api-error.ts'
import type { Bodies, Body } from '../bodies.ts'
import { checkRevision, readBody } from '../request-checks.ts'
import { errorResponse } from '../responses.ts'
import { ONSITE_SCRIPT } from './onsite-script.ts'

interface ClientApiParts {
  account: Account
  bodies: Bodies
  now: () => number
}

/** What the script of the pages asks for. */
const script = /^\/onsite\/js\/[\w-]+\/klaviyo\.js$/

// A page of any store may use the public key.
const headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type, revision',
}

export const isForPages = (pathname: string): boolean =>
  script.test(pathname) || pathname.startsWith('/client/')

/** Stands in for Klaviyo's script, and for the client API that it calls with the public key alone. */
export function createClientApi({ account, bodies, now }: ClientApiParts) {
  function record(pathname: string, request: { headers: Headers; text: string }): void {
    if (pathname === '/client/events') {
      const { attributes } = (readBody(request, 'event', bodies) as Body<'event'>).data
      account.recordEvent(attributes.profile.data, attributes, now())
    } else if (pathname === '/client/profiles') {
      account.book.saveForEvent((readBody(request, 'profile', bodies) as Body<'profile'>).data)
    } else {
      throw new ApiError(404, [{ code: 'not_found', detail: 'There is no such endpoint.' }])
    }
  }

  return async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    if (script.test(pathname)) {
      return new Response(ONSITE_SCRIPT, {
        headers: { ...headers, 'content-type': 'text/javascript; charset=utf-8' },
      })
    }
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers })
    try {
      if (!searchParams.get('company_id')) {
        const detail = 'The public API key is missing.'
        throw new ApiError(400, [{ code: 'invalid', detail, parameter: 'company_id' }])
      }
      checkRevision(request.headers)
      record(pathname, { headers: request.headers, text: await request.text() })
      return new Response(null, { status: 202, headers })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const refused = errorResponse(error)
      for (const [name, value] of Object.entries(headers)) refused.headers.set(name, value)
      return refused
    }
  }
}
