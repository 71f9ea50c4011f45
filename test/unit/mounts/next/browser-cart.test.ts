import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { BrowserCart } from '../../../../src/mounts/next/react.js'

it('writes nothing into the page that the server renders', () => {
  expect(
    renderToString(createElement(BrowserCart, { cart: { id: 7, secret: 'key' }, gone: 6 })),
  ).toBe('')
})
