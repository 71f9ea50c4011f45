'use client'

import { usePathname } from 'next/navigation.js'
import { useEffect, useState } from 'react'
import type { FlashNotice } from '../http/session.js'
import { takeNoticeCookie } from './notice-cookie.js'
import { readLayoutInfo } from './session-info.js'

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
  const [shown, setShown] = useState({ pathname, notices: notices ?? [] })
  const isKnown = notices !== undefined
  useEffect(() => {
    let isGone = false
    const show = (found: readonly FlashNotice[]) => {
      if (!isGone && found.length > 0) setShown((before) => ({ ...before, notices: found }))
    }
    const ofPageView = takeNoticeCookie()
    show(ofPageView)
    // What no page view has taken out: the store's proxy does not see a page that a cache answers.
    if (!isKnown) {
      void readLayoutInfo(base).then((info) => show([...ofPageView, ...(info?.notices ?? [])]))
    }
    return () => {
      isGone = true
    }
  }, [base, isKnown])

  const isHere = shown.pathname === pathname && shown.notices.length > 0
  // The outer element is there before any notice is: readers announce what is added to it.
  return (
    <div aria-live="polite">
      {isHere && (
        <div className={className}>
          {shown.notices.map(({ kind, text }, index) => (
            <p data-kind={kind} key={index} role={kind === 'error' ? 'alert' : 'status'}>
              {text}
            </p>
          ))}
        </div>
      )}
    </div>
  )
}
