'use client'

import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { OnsiteEvent } from '../../marketing/onsite/onsite-event.js'
import { isTracking, onTracking, track } from './onsite-tracking.js'

export interface ViewedProductProps {
  /** `await readViewedProduct(product.id)`. Undefined: nothing is sent. */
  event: OnsiteEvent | undefined
}

/**
 * Sends Viewed Product once for each view of the page, as soon as `<KlaviyoOnsite>` has the visitor's
 * consent.
 *
 * @example
 * <ViewedProduct event={await readViewedProduct(product.id)} />
 */
export function ViewedProduct({ event }: ViewedProductProps) {
  const isOn = useSyncExternalStore(onTracking, isTracking, () => false)
  const text = JSON.stringify(event)
  const sent = useRef<string>(undefined)
  useEffect(() => {
    if (!isOn || text === undefined || sent.current === text) return
    sent.current = text
    track(JSON.parse(text) as OnsiteEvent)
  }, [isOn, text])
  return null
}
