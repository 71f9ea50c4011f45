'use client'

import { useRouteCache } from '@payloadcms/ui'
import { useEffect } from 'react'

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
