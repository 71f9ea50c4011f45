'use client'

import { useDocumentInfo, useRouteCache } from '@payloadcms/ui'
import { useEffect, useRef } from 'react'

/** Has the notices of a page rendered again when it was saved: Payload leaves them as they were. */
export function RenewedWhenSaved() {
  const { lastUpdateTime } = useDocumentInfo()
  const { clearRouteCache } = useRouteCache()
  const seen = useRef(lastUpdateTime)
  useEffect(() => {
    if (seen.current === lastUpdateTime) return
    seen.current = lastUpdateTime
    clearRouteCache()
  }, [clearRouteCache, lastUpdateTime])
  return null
}
