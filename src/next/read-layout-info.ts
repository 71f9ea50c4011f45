import type { SessionCart } from '../accounts/session-info-action.js'
import type { FlashNotice } from '../http/session.js'

interface LayoutInfo extends SessionCart {
  notices: FlashNotice[]
}

const asked = new Map<string, Promise<LayoutInfo | undefined>>()

/**
 * Asks the server about the visitor. All components of one page view share one request. Undefined
 * when there is no answer, such as offline.
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
