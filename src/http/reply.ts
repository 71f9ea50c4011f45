import type { Problem } from '../errors.js'
import { pagePolicy } from './html-page.js'
import { prefersJson } from './prefers-json.js'
import { problemPage } from './problem-page.js'
import type { ActionRequest } from './request-body.js'

// Answers hold people's addresses, or are true only now: nothing on the way may keep them.
const noStore = { 'cache-control': 'no-store' }

/** For an answer to a link that is a key: nobody keeps it, lists it, or learns where one came from. */
export const secretLinkHeaders: Readonly<Record<string, string>> = {
  ...noStore,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

/** An answer: a Web `Response`, or as much of one as is sent, which costs far less to make. */
export interface Reply {
  status: number
  headers: Headers
  body: string | ReadableStream<Uint8Array> | null
}

export const webResponse = (reply: Reply): Response => new Response(reply.body, reply)

export const xmlReply = (xml: string): Response =>
  new Response(xml, { headers: { 'content-type': 'text/xml; charset=UTF-8', ...noStore } })

export const jsonReply = (value: unknown): Reply => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/json', ...noStore }),
  body: JSON.stringify(value),
})

/** The answer to a post: the browser gets `location`, a path or a URL, with GET. */
export const seeOther = (location: string): Reply => ({
  status: 303,
  headers: new Headers({ location, ...noStore }),
  body: null,
})

/** Another place to look at for now: the browser gets `location`, a path or a URL. */
export const found = (location: string): Response =>
  new Response(null, { status: 302, headers: { location, ...secretLinkHeaders } })

/**
 * An error in the CMS's own format: an HTML page, or Payload's `{ errors: [{ message }] }` when the
 * request asks for JSON (`interface.md`, Errors). But for a 500, the code is in a header for machines.
 */
export function problemReply(
  problem: Problem,
  request: Pick<ActionRequest, 'headers'>,
  requestId: string,
): Response {
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
