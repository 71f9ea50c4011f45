'use client'

import { usePathname } from 'next/navigation.js'
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import type { FlashNotice } from '../../core/http/session.js'
import { takeNoticeCookie } from './notice-cookie.js'
import { readLayoutInfo } from './read-layout-info.js'

export interface FlashNoticesProps {
  /**
   * `await readNotices()`, in a layout whose pages are rendered for each request. Default: the browser
   * asks the server for the notices.
   */
  notices?: readonly FlashNotice[] | undefined
  /** Path of the site below which the actions are, such as `/us`. Default: none. */
  base?: string | undefined
  /** Class of the element around the notices. */
  className?: string | undefined
  /** True: shows nothing yet, such as while the cart that a notice is about is loaded. Default false. */
  isWaiting?: boolean | undefined
}

/**
 * Shows each flash notice once, such as `Your cart has been updated.` Put it in a layout. It works on
 * static pages too: there, the browser asks for the notices. They stay until the visitor goes to
 * another page.
 *
 * @example
 * // a layout whose pages are static
 * <FlashNotices />
 * // a layout whose pages are rendered for each request: works without JavaScript too
 * <FlashNotices notices={await readNotices()} />
 */
export function FlashNotices(props: FlashNoticesProps) {
  const { notices, base = '', className, isWaiting = false } = props
  const pathname = usePathname()
  const [given] = useState({ pathname, notices: notices ?? [] })
  const page = useSyncExternalStore(onShownNotices, shownNotices, () => given)
  const baseToAsk = notices === undefined ? base : undefined
  // A layout effect runs before the browser paints, so the notices of the page do not flicker.
  useLayoutEffect(() => {
    void findNotices(given, baseToAsk)
  }, [given, baseToAsk])
  useEffect(() => leaveOtherPages(pathname), [pathname])

  const shown = page.pathname === pathname && !isWaiting ? page.notices : []
  // Screen readers announce what is added to an element, so the outer one is always there.
  return (
    <div aria-live="polite">
      {shown.length > 0 && (
        <div className={className}>
          {shown.map(({ kind, text }, index) => (
            <p data-kind={kind} key={index} role={kind === 'error' ? 'alert' : 'status'}>
              {text}
            </p>
          ))}
        </div>
      )}
    </div>
  )
}

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
