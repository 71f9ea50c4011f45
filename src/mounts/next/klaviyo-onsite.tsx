'use client'

import { usePathname } from 'next/navigation.js'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { OnsiteEvent } from '../../marketing/onsite/onsite-events.js'
import { beginTracking, endTracking, isTracking, onTracking, track } from './onsite-tracking.js'

export interface KlaviyoOnsiteProps {
  /**
   * What the visitor has decided: `true` loads Klaviyo's script, `false` also takes back an earlier consent.
   * Undefined while the consent tool does not know it yet: nothing happens.
   */
  consent: boolean | undefined
  /** Klaviyo's public API key (site id). Undefined or blank: nothing happens. */
  companyId?: string | undefined
  /** The nonce of the page's Content Security Policy. Default: none. */
  nonce?: string | undefined
  /** The URL below which the script is. Default `https://static.klaviyo.com`. */
  scriptUrl?: string | undefined
  /** Path of the site below which the actions are, such as `/us`. Default: none. */
  base?: string | undefined
}

/**
 * Loads Klaviyo's script once the visitor has consented, and reports what the page's `<ViewedProduct>` and
 * the visitor's additions to the cart say. It tells the script who is logged in, and the session who the
 * visitor is to Klaviyo (`_kx`), so that the events of a guest's cart find their person. Without consent it
 * requests, stores and sends nothing. Put it in a layout. It works on static pages too.
 *
 * When consent is taken back, nothing more is sent and what was stored is removed. A script that has run
 * stays in memory until the next page is loaded.
 *
 * @example
 * <KlaviyoOnsite {...await readKlaviyoOnsite()} consent={consent} nonce={nonce} />
 */
export function KlaviyoOnsite({
  consent,
  companyId = '',
  nonce,
  scriptUrl = 'https://static.klaviyo.com',
  base = '',
}: KlaviyoOnsiteProps) {
  const pathname = usePathname()
  useEffect(() => {
    if (companyId === '') return
    if (consent === true) void beginTracking({ companyId, nonce, scriptUrl, base })
    else if (consent === false) void endTracking(base)
    // On the page before, the visitor may have logged in, or told the script who they are.
  }, [consent, companyId, nonce, scriptUrl, base, pathname])
  return null
}

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
