'use client'

import { Fragment, useEffect, useState, type ReactNode } from 'react'
import { keepBrowserCart } from './browser-cart.js'
import { readLayoutInfo } from './session-info.js'

export interface SessionCartProps {
  /** The store's `EcommerceProvider` with the pages in it. */
  children: ReactNode
  /** Path of the site below which the actions are, such as `/us`. Default: none. */
  base?: string | undefined
  /** As in `syncLocalStorage` of the store's `EcommerceProvider`. Default `cart`. */
  storageKey?: string | undefined
}

/**
 * Has the `EcommerceProvider` inside it show the cart of the visitor's session, such as one that a
 * link brought back. It works on pages that are built before anybody asks for them: the browser asks
 * for the cart, and starts the provider anew when it holds another one.
 *
 * Pages that are made for each visit know the cart at once, and use `BrowserCart`.
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
