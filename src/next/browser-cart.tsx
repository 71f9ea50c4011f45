'use client'

import { useLayoutEffect } from 'react'

export interface BrowserCartProps {
  /** The visitor's cart. A customer's own has no secret. */
  cart?: { id: number | string; secret?: string | undefined } | undefined
  /** A cart that is not the visitor's any more, such as one that was paid. */
  gone?: number | string | undefined
  /** As in `syncLocalStorage` of the store's `EcommerceProvider`. Default `cart`. */
  storageKey?: string | undefined
}

/**
 * Has the `EcommerceProvider` that it stands in show the cart that the visitor's session has, such as
 * one that a link brought back. The provider reads the browser's storage once, in an effect; layout
 * effects of what it contains come before, so a cart from an earlier visit is never seen. It does not
 * stand below a Suspense boundary, as it would come too late there.
 *
 * Layouts of static pages do not know the cart, and use `SessionCart`.
 *
 * @example
 * <EcommerceProvider>
 *   <BrowserCart {...await readBrowserCart()} />
 *   {children}
 * </EcommerceProvider>
 */
export function BrowserCart({ cart, gone, storageKey = 'cart' }: BrowserCartProps) {
  const id = cart?.id
  const secret = cart?.secret
  useLayoutEffect(() => {
    const shown = id === undefined ? undefined : { id, secret }
    keepBrowserCart({ cart: shown, gone }, storageKey)
  }, [id, secret, gone, storageKey])
  return null
}

/** Writes the cart where the provider looks for it. Tells whether something else was there. */
export function keepBrowserCart(
  { cart, gone }: Pick<BrowserCartProps, 'cart' | 'gone'>,
  storageKey: string,
): boolean {
  const secretKey = `${storageKey}_secret`
  try {
    const id = localStorage.getItem(storageKey)
    const secret = localStorage.getItem(secretKey) ?? undefined
    if (cart === undefined) {
      if (gone === undefined || id !== String(gone)) return false
      localStorage.removeItem(storageKey)
      localStorage.removeItem(secretKey)
      return true
    }
    if (id === String(cart.id) && secret === cart.secret) return false
    localStorage.setItem(storageKey, String(cart.id))
    if (cart.secret === undefined) localStorage.removeItem(secretKey)
    else localStorage.setItem(secretKey, cart.secret)
    return true
  } catch {
    // No storage in this browser: the provider then has no cart of its own to show either.
    return false
  }
}
