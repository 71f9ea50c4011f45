import type { FlashNotice } from '../../core/http/session.js'
import { takeNoticeCookie } from './notice-cookie.js'
import { readLayoutInfo } from './read-layout-info.js'

/** The notices of a page view. They live outside React's components, as React may mount those again. */
interface ShownNotices {
  pathname: string
  notices: readonly FlashNotice[]
}

const noNotices: ShownNotices = { pathname: '', notices: [] }

/** Undefined until a component of the page has asked. */
let kept: ShownNotices | undefined
const listeners = new Set<() => void>()

export function onShownNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const shownNotices = (): ShownNotices => kept ?? noNotices

/**
 * Keeps the notices that the page was rendered with, or else those in its cookie.
 *
 * @param base Path of the site whose session is read for notices too. Default: no session is read.
 */
export async function findNotices(
  { pathname, notices }: ShownNotices,
  base?: string,
): Promise<void> {
  const inCookie = takeNoticeCookie()
  add(pathname, kept === undefined && notices.length > 0 ? notices : inCookie)
  if (base === undefined) return
  // A cached page does not pass the store's proxy, so its notices are still in the session.
  add(pathname, (await readLayoutInfo(base))?.notices.splice(0) ?? [])
}

export function leaveOtherPages(pathname: string): void {
  if (shownNotices().pathname !== pathname) keep(noNotices)
}

function add(pathname: string, found: readonly FlashNotice[]): void {
  const before = shownNotices()
  const here = before.pathname === pathname ? before.notices : []
  keep(found.length === 0 ? before : { pathname, notices: [...here, ...found] })
}

function keep(next: ShownNotices): void {
  kept = next
  for (const listener of listeners) listener()
}
