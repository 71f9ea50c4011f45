import type { PayloadRequest } from 'payload'
import { cookieValue } from '../../http/cookie-value.js'
import { isSecure, type Addressed } from '../../http/public-origin.js'
import { sessionCookieName } from '../../http/session.js'

/** What tells the address of a request to Payload's API; undefined for code that calls Payload itself. */
export const addressedOf = ({ url, headers }: PayloadRequest): Addressed | undefined =>
  url !== undefined && URL.canParse(url) ? { url, headers } : undefined

/** Whether the browser sent a session along. */
export const hasSession = (request: Addressed): boolean =>
  cookieValue(request.headers, sessionCookieName(isSecure(request))) !== undefined
