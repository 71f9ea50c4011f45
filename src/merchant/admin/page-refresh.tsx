'use client'

import { useDocumentInfo, useRouteCache } from '@payloadcms/ui'
import { useEffect, useRef, type ReactNode } from 'react'

/** Has the notices of a page rendered again when it was saved: Payload leaves them as they were. */
export function RenewedWhenSaved({ children }: { children: ReactNode }) {
  const { lastUpdateTime } = useDocumentInfo()
  const { clearRouteCache } = useRouteCache()
  const renderedAt = useRef(lastUpdateTime)
  useEffect(() => {
    if (renderedAt.current === lastUpdateTime) return
    renderedAt.current = lastUpdateTime
    clearRouteCache()
  }, [clearRouteCache, lastUpdateTime])
  return <div className="field-type">{children}</div>
}

const everyMs = 15_000

/** Refreshes the page from the server while it is visible. Typed texts and the focus stay. */
export function SelfRefresh() {
  const { clearRouteCache } = useRouteCache()
  useEffect(() => {
    const refresh = () => {
      if (!document.hidden) clearRouteCache()
    }
    const timer = setInterval(refresh, everyMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [clearRouteCache])
  return null
}
