'use client'

import { useLayoutEffect, Fragment, useEffect, useState, type ReactNode } from 'react'
import { readLayoutInfo } from './read-layout-info.js'

export interface BrowserCartProps {
  /** The visitor's cart. The cart of a logged-in customer has no secret. */
  cart?: { id: number | string; secret?: string | undefined } | undefined
  /** The id of a cart that is no longer the visitor's, such as one that was paid. */
  gone?: number | string | undefined
  /** The same key as in `syncLocalStorage` of the store's `EcommerceProvider`. Default `cart`. */
  storageKey?: string | undefined
}

/**
 * Makes the `EcommerceProvider` around it show the cart of the visitor's session, such as a restored
 * cart. The provider reads the browser's storage once, in an effect. This component writes the cart in
 * a layout effect, which runs earlier, so an older cart never appears. Do not put it below a Suspense
 * boundary: it would write too late there.
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

/** Writes the cart where the provider looks for it. Returns whether the storage changed. */
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
    // This browser has no storage, so the provider has no other cart to show either.
    return false
  }
}

export interface SessionCartProps {
  /** The store's `EcommerceProvider`, which contains the pages. */
  children: ReactNode
  /** Path of the site below which the actions are, such as `/us`. Default: none. */
  base?: string | undefined
  /** The same key as in `syncLocalStorage` of the store's `EcommerceProvider`. Default `cart`. */
  storageKey?: string | undefined
}

/**
 * Makes the `EcommerceProvider` inside it show the cart of the visitor's session, such as a restored
 * cart. It works on static pages: the browser asks the server for the cart, and mounts the provider
 * again when the provider shows another one.
 *
 * Pages that are rendered for each request know the cart at once, and use `BrowserCart`.
 *
 * @example
 * <SessionCart>
 *   <EcommerceProvider>{children}</EcommerceProvider>
 * </SessionCart>
 */
export function SessionCart({ children, base = '', storageKey = 'cart' }: SessionCartProps) {
  const [starts, setStarts] = useState(0)
  useEffect(() => {
    let isGone = false
    void readLayoutInfo(base).then((info) => {
      if (isGone || info === undefined) return
      if (keepBrowserCart(info, storageKey)) setStarts((before) => before + 1)
    })
    return () => {
      isGone = true
    }
  }, [base, storageKey])
  return <Fragment key={starts}>{children}</Fragment>
}
