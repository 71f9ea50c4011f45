'use client'

import { useLayoutEffect } from 'react'

export interface BrowserCartProps {
  /** The visitor's cart. A customer's own has no secret. */
  cart?: { id: number | string; secret?: string } | undefined
  /** A cart that is not the visitor's any more, such as one that was paid. */
  gone?: number | string | undefined
  /** As in `syncLocalStorage` of the store's `EcommerceProvider`. Default `cart`. */
  storageKey?: string | undefined
}

/**
 * Has the `EcommerceProvider` that it stands in show the cart that the visitor's session has, such as
 * one that a link brought back. The provider reads the browser's storage once, in an effect; layout
 * effects of what it contains come before, so a cart from an earlier visit is never seen.
 *
 * Pages of a Next.js store use `SessionCart` of `storePages()`, which knows the cart.
 *
 * @example
 * <EcommerceProvider>
 *   <BrowserCart cart={{ id: 7, secret: '…' }} />
 *   {children}
 * </EcommerceProvider>
 */
export function BrowserCart({ cart, gone, storageKey = 'cart' }: BrowserCartProps) {
  const id = cart?.id
  const secret = cart?.secret
  useLayoutEffect(() => {
    try {
      if (id !== undefined) keep(storageKey, { id, secret })
      else if (gone !== undefined) forget(storageKey, gone)
    } catch {
      // No storage in this browser: the provider then has no cart of its own to show either.
    }
  }, [id, secret, gone, storageKey])
  return null
}

function keep(
  storageKey: string,
  { id, secret }: { id: number | string; secret: string | undefined },
): void {
  localStorage.setItem(storageKey, String(id))
  if (secret === undefined) localStorage.removeItem(secretKey(storageKey))
  else localStorage.setItem(secretKey(storageKey), secret)
}

function forget(storageKey: string, id: number | string): void {
  if (localStorage.getItem(storageKey) !== String(id)) return
  localStorage.removeItem(storageKey)
  localStorage.removeItem(secretKey(storageKey))
}

const secretKey = (storageKey: string) => `${storageKey}_secret`
