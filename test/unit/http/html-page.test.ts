import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { htmlPage, ownPagePolicy, pagePolicy } from '../../../src/http/html-page.js'

describe('htmlPage', () => {
  const page = htmlPage({ language: 'de"><b>', title: 'Tee & <Tinte>', body: '<h1>Tee</h1>' })

  it('escapes language and title', () => {
    expect(page).toContain('<html lang="de&quot;&gt;&lt;b&gt;">')
    expect(page).toContain('<title>Tee &amp; &lt;Tinte&gt;</title>')
  })

  it('has the one style that its policy allows, and nothing else that a policy could forbid', () => {
    const style = /<style>(?<text>.*)<\/style>/s.exec(page)?.groups?.text ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(pagePolicy()).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(page.match(/<style/g)).toHaveLength(1)
    expect(page).not.toMatch(/<script|<link|<img|\sstyle=|\son\w+=/i)
  })
})

describe('ownPagePolicy', () => {
  it("allows a store's own page styles and pictures, and no scripts", () => {
    expect(ownPagePolicy(["'self'", 'https://shop.example'])).toBe(
      "default-src 'none'; style-src 'self' 'unsafe-inline'; form-action 'self' https://shop.example; base-uri 'none'; frame-ancestors 'none'; img-src 'self' data:; font-src 'self'",
    )
  })
})
