'use client'

import { Fragment, useEffect, useState, type ReactNode } from 'react'
import { keepBrowserCart } from './browser-cart.js'
import { readLayoutInfo } from './read-layout-info.js'

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
