import { describe, expect, it } from 'vitest'
import { problemPage } from '../../../src/http/reply.js'

describe('problemPage', () => {
  const page = problemPage({
    status: 400,
    message: `The parameter "<script>alert('x' & "y")</script>" holds a NUL character.`,
    requestId: '<b>id</b>',
  })

  it('is a whole HTML document in a language, with a title', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page).toContain('<meta charset="utf-8">')
    expect(page).toMatch(/<title>400: The parameter .*<\/title>/)
    expect(page.trimEnd().endsWith('</html>')).toBe(true)
  })

  it('escapes everything that came from the request', () => {
    expect(page).not.toContain('<script>')
    expect(page).not.toContain('<b>')
    expect(page).toContain('&lt;script&gt;alert(')
    expect(page).toContain('&amp; &quot;y&quot;')
    expect(page).toContain('&lt;b&gt;id&lt;/b&gt;')
  })
})
