import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import {
  hiddenInput,
  htmlPage,
  ownPagePolicy,
  pagePolicy,
} from '../../../../src/core/http/html-page.js'

it('a page escapes what it is given, and has the one style that its policy allows', () => {
  const page = htmlPage({ language: 'de"><b>', title: 'Tee & <Tinte>', body: '<h1>Tee</h1>' })
  expect(page).toContain('<html lang="de&quot;&gt;&lt;b&gt;">')
  expect(page).toContain('<title>Tee &amp; &lt;Tinte&gt;</title>')
  const style = /<style>(?<text>.*)<\/style>/s.exec(page)?.groups?.text ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(pagePolicy()).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  )
  expect(page.match(/<style/g)).toHaveLength(1)
  expect(page).not.toMatch(/<script|<link|<img|\sstyle=|\son\w+=/i)
})

it("the policy of a store's own page allows styles and pictures, and no scripts", () => {
  expect(ownPagePolicy(["'self'", 'https://shop.example'])).toBe(
    "default-src 'none'; style-src 'self' 'unsafe-inline'; form-action 'self' https://shop.example; base-uri 'none'; frame-ancestors 'none'; img-src 'self' data:; font-src 'self'",
  )
})

it('a hidden field is one, whatever its value holds', () => {
  expect(hiddenInput({ name: 'redirect', value: `"><script>alert('&')</script>` })).toBe(
    `<input type="hidden" name="redirect" value="&quot;&gt;&lt;script&gt;alert('&amp;')&lt;/script&gt;">`,
  )
})
