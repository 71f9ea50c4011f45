'use client'

import { usePathname } from 'next/navigation.js'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { FlashNotice } from '../http/session.js'
import {
  findNotices,
  leaveOtherPages,
  noNotices,
  onShownNotices,
  shownNotices,
  type ShownNotices,
} from './shown-notices.js'

export interface FlashNoticesProps {
  /**
   * `await readNotices()`, in a layout whose pages are made for each visit. Left out, the browser asks
   * for them.
   */
  notices?: readonly FlashNotice[] | undefined
  /** Path of the site below which the actions are, such as `/us`. Default: none. */
  base?: string | undefined
  /** Class of the element around the notices. */
  className?: string | undefined
}

/**
 * What the store has to tell the visitor, once: `Your cart has been updated.` It stands in a layout,
 * and works on pages that are built before anybody asks for them: the browser finds the notices.
 * They stay until the visitor goes to another page.
 *
 * @example
 * // a layout whose pages are static
 * <FlashNotices />
 * // a layout whose pages are made for each visit: works without JavaScript too
 * <FlashNotices notices={await readNotices()} />
 */
export function FlashNotices({ notices, base = '', className }: FlashNoticesProps) {
  const pathname = usePathname()
  const [arrivedAt] = useState(pathname)
  const [given, setGiven] = useState({ pathname, notices: notices ?? [] })
  const found = useSyncExternalStore(onShownNotices, shownNotices, () => noNotices)
  const baseToAsk = notices === undefined ? base : undefined
  useEffect(() => {
    void findNotices(arrivedAt, baseToAsk)
  }, [arrivedAt, baseToAsk])
  useEffect(() => {
    leaveOtherPages(pathname)
    setGiven((before) => (before.pathname === pathname ? before : { pathname, notices: [] }))
  }, [pathname])

  const here = (of: ShownNotices) => (of.pathname === pathname ? of.notices : [])
  // What was given is found as well, by a page view that the store's proxy has seen.
  const shown = here(found).length > 0 ? here(found) : here(given)
  // The outer element is there before any notice is: readers announce what is added to it.
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
