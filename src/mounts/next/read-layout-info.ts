import type { SessionCart } from '../../carts/accounts/session-info-action.js'
import type { FlashNotice } from '../../core/http/session.js'

/** What a page learns about its visitor. */
export interface SessionInfo {
  csrfTokenName: string
  csrfTokenValue: string
  /** The account's id and email; undefined when nobody is logged in. */
  id?: number | string
  email?: string
  /** True for an admin, whom Klaviyo is not told about. */
  isAdmin?: true
}

interface LayoutInfo extends SessionInfo, SessionCart {
  notices: FlashNotice[]
}

const asked = new Map<string, Promise<LayoutInfo | undefined>>()
const infoPath = '/actions/users/session-info'

/**
 * Asks the server about the visitor. All components of one page view share one request. Undefined
 * when there is no answer, such as offline.
 *
 * @param base Path of the site, such as `/us`.
 */
export function readLayoutInfo(base: string): Promise<LayoutInfo | undefined> {
  const answer = asked.get(base) ?? askServer<LayoutInfo>(`${base}${infoPath}?layout=1`)
  asked.set(base, answer)
  return answer
}

/** What `readLayoutInfo` asked for, where a component of the page has called it. */
export const sharedInfo = (base: string): Promise<SessionInfo | undefined> | undefined =>
  asked.get(base)

/** Asks anew, without the notices: they stay in the session for the component that shows them. */
export const askSessionInfo = (base: string): Promise<SessionInfo | undefined> =>
  askServer(base + infoPath)

/** Asks one of the actions. Undefined when there is no answer. */
export async function askServer<Info>(url: string): Promise<Info | undefined> {
  const init = { cache: 'no-store', headers: { accept: 'application/json' } } as const
  // Between the shop and its visitor, somebody else may answer with a page.
  return fetch(url, init)
    .then(async (response) => (response.ok ? ((await response.json()) as Info) : undefined))
    .catch(() => undefined)
}
