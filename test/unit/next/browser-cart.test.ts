import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { BrowserCart as StoredCart } from '../../../src/store/browser-carts.js'
import { BrowserCart } from '../../../src/next/react.js'
import { sessionCart } from '../../../src/actions/session-info/session-cart.js'

it('writes nothing into the page that the server renders', () => {
  expect(
    renderToString(createElement(BrowserCart, { cart: { id: 7, secret: 'key' }, gone: 6 })),
  ).toBe('')
})

describe("What the visitor's browser is told of their cart", () => {
  const told = (cartId: number | undefined, cart: StoredCart | undefined) =>
    sessionCart(
      { find: () => Promise.resolve(cart) },
      { sessionId: 's', cartId, visitor: undefined, site: undefined },
    )

  it('is the cart and its secret', async () => {
    expect(await told(7, { id: 7, secret: 'key' })).toEqual({ cart: { id: 7, secret: 'key' } })
  })

  it('is which cart is gone, when the one of the session is nobody’s to have', async () => {
    expect(await told(7, undefined)).toEqual({ gone: 7 })
  })

  it('is nothing for who has none', async () => {
    expect(await told(undefined, undefined)).toEqual({})
  })
})
