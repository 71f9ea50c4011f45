import type { SessionCart } from '../actions/session-info/session-cart.js'
import type { FlashNotice } from '../http/session.js'

/** What the pieces of a layout show of the visitor. */
export interface LayoutInfo extends SessionCart {
  notices: FlashNotice[]
}

const asked = new Map<string, Promise<LayoutInfo | undefined>>()

/**
 * Asks the server who looks at the page, once a page view, however many pieces of it ask. Undefined
 * when there is no answer, such as offline: the page then stays as it is.
 *
 * @param base Path of the site, such as `/us`.
 */
export function readLayoutInfo(base: string): Promise<LayoutInfo | undefined> {
  const url = `${base}/actions/users/session-info?layout=1`
  const answer = asked.get(url) ?? ask(url)
  asked.set(url, answer)
  return answer
}

async function ask(url: string): Promise<LayoutInfo | undefined> {
  const headers = { accept: 'application/json' }
  const response = await fetch(url, { cache: 'no-store', headers }).catch(() => undefined)
  return response?.ok ? ((await response.json()) as LayoutInfo) : undefined
}
