import type { PayloadRequest } from 'payload'
import { cookieValue } from '../../http/cookie-value.js'
import { isSecure, type Addressed } from '../../http/public-origin.js'
import { sessionCookieName, type OpenSession } from '../../http/session.js'

/** What tells the address of a request to Payload's API; undefined for code that calls Payload itself. */
export const addressedOf = ({ url, headers }: PayloadRequest): Addressed | undefined =>
  url !== undefined && URL.canParse(url) ? { url, headers } : undefined

/** Whether the browser sent a session along. */
export const hasSession = (request: Addressed): boolean =>
  cookieValue(request.headers, sessionCookieName(isSecure(request))) !== undefined

/** Has the answer of Payload's API bring the session to the browser, where it changed. */
export async function answerWithSession(req: PayloadRequest, session: OpenSession): Promise<void> {
  const cookie = await session.cookie()
  if (cookie === undefined) return
  req.responseHeaders ??= new Headers()
  req.responseHeaders.append('set-cookie', cookie)
}
