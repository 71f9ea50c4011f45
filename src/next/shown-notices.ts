import type { FlashNotice } from '../http/session.js'
import { takeNoticeCookie } from './notice-cookie.js'
import { readLayoutInfo } from './session-info.js'

/** What a page view has to show: kept outside the pieces of the page, as those may start anew. */
export interface ShownNotices {
  pathname: string
  notices: readonly FlashNotice[]
}

export const noNotices: ShownNotices = { pathname: '', notices: [] }

let kept = noNotices
const listeners = new Set<() => void>()
const askedBases = new Set<string>()

/** Calls the listener when other notices are kept; returns what ends that. */
export function onShownNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const shownNotices = (): ShownNotices => kept

/**
 * Keeps what the page at this path has to show.
 *
 * @param base Path of the site whose session is asked too; left out, the session is not asked.
 */
export async function findNotices(pathname: string, base?: string): Promise<void> {
  add(pathname, takeNoticeCookie())
  if (base === undefined || askedBases.has(base)) return
  askedBases.add(base)
  // What no page view has taken out: the store's proxy does not see a page that a cache answers.
  add(pathname, (await readLayoutInfo(base))?.notices ?? [])
}

/** Forgets what another page had to show. */
export function leaveOtherPages(pathname: string): void {
  if (kept.pathname !== pathname) keep(noNotices)
}

function add(pathname: string, found: readonly FlashNotice[]): void {
  if (found.length === 0) return
  const before = kept.pathname === pathname ? kept.notices : []
  keep({ pathname, notices: [...before, ...found] })
}

function keep(next: ShownNotices): void {
  kept = next
  for (const listener of listeners) listener()
}
