import type { Problem, ProblemPageText } from '../errors.js'
import { pagePolicy, htmlPage, escapeHtml } from './html-page.js'
import type { PageColors } from './page-colors.js'
import { prefersJson } from './request-headers.js'
import type { ActionRequest } from './request-body.js'
import { realEffects } from '../effects.js'

export function problemPage({
  status,
  message,
  requestId,
  page = englishPage(message),
  colors,
}: Pick<Problem, 'status' | 'message'> & {
  requestId: string
  page?: ProblemPageText
  colors?: PageColors | undefined
}): string {
  const { language, brand, link } = page
  const button =
    link && `<p><a class="button" href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>\n`
  return htmlPage({
    language,
    title: `${status}: ${page.message}`,
    brand,
    colors,
    body: `<h1>${escapeHtml(page.message)}</h1>
${button ?? ''}<p class="quiet">${status} · ${escapeHtml(requestId)}</p>`,
  })
}

const englishPage = (message: string): ProblemPageText => ({
  language: 'en',
  isOfBrowser: true,
  message,
  brand: '',
  link: undefined,
})

/** Headers for a link that is a secret: no cache stores it, no search engine lists it, no referrer has it. */
export const secretLinkHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

/** Headers of a page that is in the language of its site or its browser. */
export const languageHeaders = ({
  language,
  isOfBrowser,
}: Pick<ProblemPageText, 'language' | 'isOfBrowser'>): Record<string, string> => ({
  'content-language': language,
  ...(isOfBrowser && { vary: 'Accept-Language' }),
})

/** An answer: a Web `Response`, or only the parts of one that are sent, which cost far less to make. */
export interface Reply {
  status: number
  headers: Headers
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
}

export const webResponse = (reply: Reply): Response => new Response(reply.body, reply)

export const xmlReply = (xml: Uint8Array<ArrayBuffer>): Reply => ({
  status: 200,
  headers: new Headers({ 'content-type': 'text/xml; charset=UTF-8' }),
  body: xml.byteLength <= wholeBytes ? xml : piecesOf(xml),
})

// Hosts of functions refuse an answer of more than some megabytes that comes in one piece (Vercel: 4.5 MB).
const wholeBytes = 1 << 20

function piecesOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, (at += wholeBytes)))
      if (at >= bytes.byteLength) controller.close()
    },
  })
}

export const jsonReply = (value: unknown): Reply => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: JSON.stringify(value),
})

/** Answers a post with a 303: the browser opens `location`, a path or a URL, with GET. */
export const seeOther = (location: string): Reply => ({
  status: 303,
  headers: new Headers({ location }),
  body: null,
})

/** Answers with a 302: the browser opens `location`, a path or a URL, and asks here again next time. */
export const found = (location: string): Response =>
  new Response(null, { status: 302, headers: { location, ...secretLinkHeaders } })

/**
 * Answers with an error: an HTML page, or Payload's `{ errors: [{ message }] }` when the request asks for
 * JSON (`docs/interface.md` (Errors)). The header `x-error-code` has the code, except for a 500. The texts of
 * the page are those of the problem, unless there is a `page`.
 */
export function problemReply(
  problem: Problem,
  request: Pick<ActionRequest, 'headers'>,
  {
    requestId,
    page = problem.page ?? englishPage(problem.message),
    colors,
  }: {
    requestId: string
    page?: ProblemPageText | undefined
    colors?: PageColors | undefined
  },
): Response {
  const { status, message, code } = problem
  const headers = {
    // The URL of any action may be a secret link.
    ...secretLinkHeaders,
    // The code of a 500 would show its cause.
    ...(status !== 500 && { 'x-error-code': code }),
    ...problem.headers,
  }
  if (prefersJson(request.headers)) {
    return Response.json({ errors: [{ message }] }, { status, headers })
  }
  return new Response(problemPage({ status, message, requestId, page, colors }), {
    status,
    headers: {
      ...headers,
      ...languageHeaders(page),
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy': pagePolicy(undefined, colors),
    },
  })
}

export interface HandleContext {
  /** The IP address at the other end of the connection; undefined when the mount cannot see it. */
  address?: string | undefined
}

/** Answers a request for `/actions/…`. Never rejects: every failure is a reply. */
export type Handle = (request: Request, context?: HandleContext) => Promise<Response>

/** Like `Handle`, for a mount that needs no Web `Request` and `Response`. */
export type FrontDoor = (request: ActionRequest, context?: HandleContext) => Promise<Reply>

export const webHandle =
  (frontDoor: FrontDoor): Handle =>
  async (request, context) =>
    webResponse(await frontDoor(request, context))

/**
 * Refuses every request with the same problem. It logs nothing, as the problem has been logged. A store
 * that does not work has no effects of its own.
 */
export const createRefusal =
  (problem: Problem): FrontDoor =>
  (request) =>
    Promise.resolve(problemReply(problem, request, { requestId: realEffects.uuid() }))
