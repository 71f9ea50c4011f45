import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { BrowserCart as StoredCart } from '../../../src/carts/carts.js'
import { BrowserCart } from '../../../src/next/react.js'
import { sessionCart } from '../../../src/accounts/session-info-action.js'

it('writes nothing into the page that the server renders', () => {
  expect(
    renderToString(createElement(BrowserCart, { cart: { id: 7, secret: 'key' }, gone: 6 })),
  ).toBe('')
})

describe("What the visitor's browser gets of their cart", () => {
  const browserCart = (cartId: number | undefined, cart: StoredCart | undefined) =>
    sessionCart(
      { findForBrowser: () => Promise.resolve(cart) },
      { sessionId: 's', cartId, visitor: undefined, site: undefined },
    )

  it('is the cart and its secret', async () => {
    expect(await browserCart(7, { id: 7, secret: 'key' })).toEqual({
      cart: { id: 7, secret: 'key' },
    })
  })

  it('is which cart is gone, when the one of the session is nobody’s to have', async () => {
    expect(await browserCart(7, undefined)).toEqual({ gone: 7 })
  })

  it('is nothing for who has none', async () => {
    expect(await browserCart(undefined, undefined)).toEqual({})
  })
})
