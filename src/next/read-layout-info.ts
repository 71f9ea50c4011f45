import type { SessionCart } from '../accounts/session-info-action.js'
import type { FlashNotice } from '../http/session.js'

/** What a page learns about its visitor. */
export interface SessionInfo {
  csrfTokenName: string
  csrfTokenValue: string
  /** The account's id and email; undefined when nobody is logged in. */
  id?: number | string
  email?: string
}

interface LayoutInfo extends SessionInfo, SessionCart {
  notices: FlashNotice[]
}

const asked = new Map<string, Promise<unknown>>()
const infoPath = '/actions/users/session-info'

/**
 * Asks the server about the visitor. All components of one page view share one request. Undefined
 * when there is no answer, such as offline.
 *
 * @param base Path of the site, such as `/us`.
 */
export function readLayoutInfo(base: string): Promise<LayoutInfo | undefined> {
  return askOnce(`${base}${infoPath}?layout=1`)
}

/** The same without the notices, which stay in the session for the component that shows them. */
export function readSessionInfo(base: string): Promise<SessionInfo | undefined> {
  const layout = `${base}${infoPath}?layout=1`
  return askOnce(asked.has(layout) ? layout : base + infoPath)
}

function askOnce<Info>(url: string): Promise<Info | undefined> {
  const answer = (asked.get(url) ?? askServer(url)) as Promise<Info | undefined>
  asked.set(url, answer)
  return answer
}

/** Asks one of the actions. Undefined when there is no answer. */
export async function askServer<Info>(url: string): Promise<Info | undefined> {
  const headers = { accept: 'application/json' }
  const response = await fetch(url, { cache: 'no-store', headers }).catch(() => undefined)
  return response?.ok ? ((await response.json()) as Info) : undefined
}
