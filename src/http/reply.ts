import type { Problem } from '../errors.js'
import { pagePolicy } from './html-page.js'
import { prefersJson } from './prefers-json.js'
import { problemPage } from './problem-page.js'

// Answers hold people's addresses, or are true only now: nothing on the way may keep them.
const noStore = { 'cache-control': 'no-store' }

/** For an answer to a link that is a key: nobody keeps it, lists it, or learns where one came from. */
export const secretLinkHeaders: Readonly<Record<string, string>> = {
  ...noStore,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

export const xmlReply = (xml: string): Response =>
  new Response(xml, { headers: { 'content-type': 'text/xml; charset=UTF-8', ...noStore } })

export const jsonReply = (value: unknown): Response => Response.json(value, { headers: noStore })

/** The answer to a post: the browser gets `location`, a path or a URL, with GET. */
export const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, ...noStore } })

/** Another place to look at for now: the browser gets `location`, a path or a URL. */
export const found = (location: string): Response =>
  new Response(null, { status: 302, headers: { location, ...secretLinkHeaders } })

/**
 * An error in the CMS's own format: an HTML page, or Payload's `{ errors: [{ message }] }` when the
 * request asks for JSON (`interface.md`, Errors). But for a 500, the code is in a header for machines.
 */
export function problemReply(problem: Problem, request: Request, requestId: string): Response {
  const { status, message, code, page } = problem
  const headers = {
    // The URL may be a link that is a key, whichever action refused it.
    ...secretLinkHeaders,
    // The code of a 500 would tell its cause.
    ...(status !== 500 && { 'x-error-code': code }),
    ...problem.headers,
  }
  if (prefersJson(request.headers)) {
    return Response.json({ errors: [{ message }] }, { status, headers })
  }
  return new Response(problemPage({ status, message, requestId, page }), {
    status,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy': pagePolicy(),
    },
  })
}
