import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { EcommerceProvider } from '../../../../src/mounts/next/react.js'

const shown = (noticesClassName?: string) =>
  renderToString(
    createElement(EcommerceProvider, { noticesClassName }, createElement('main', {}, 'Tea')),
  )

it('has a place for notices, which screen readers announce, above the pages', () => {
  expect(shown('container py-4')).toBe('<div><div aria-live="polite"></div></div><main>Tea</main>')
})

it('keeps notices off the edge of the window where the shop gives no class', () => {
  expect(shown()).toMatch(
    /^<div style="[^"]*padding-inline:1rem"><div aria-live="polite"><\/div><\/div><main>Tea<\/main>$/,
  )
})
