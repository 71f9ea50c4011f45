import { describe, expect, it } from 'vitest'
import { isPageView } from '../../../src/next/visitor-session.js'

const ask = (headers: Record<string, string>, { method = 'GET', path = '/tea' } = {}) =>
  isPageView(new Request(`https://shop.example${path}`, { method, headers }))

const html = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

describe('A page view', () => {
  it.each([
    ['a navigation', { 'sec-fetch-dest': 'document', ...html }],
    ['a browser that does not say where it puts the answer', html],
  ])('is %s', (_, headers) => {
    expect(ask(headers)).toBe(true)
  })

  it.each([
    ['what Next.js fetches to change pages in the browser', { 'sec-fetch-dest': 'empty', ...html }],
    ['the same without Sec-Fetch-Dest', { accept: '*/*' }],
    ['a frame', { 'sec-fetch-dest': 'iframe', ...html }],
    ['a picture', { 'sec-fetch-dest': 'image', accept: 'image/*' }],
    ['a prefetch', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document', ...html }],
    ['a prerender', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-dest': 'document' }],
    ['an older prefetch', { purpose: 'prefetch', ...html }],
    ['a client that accepts anything', {}],
  ])('is not %s', (_, headers) => {
    expect(ask(headers)).toBe(false)
  })

  it('is a GET of something else than an action', () => {
    expect(ask(html, { method: 'POST' })).toBe(false)
    expect(ask(html, { method: 'HEAD' })).toBe(false)
    expect(ask(html, { path: '/actions/users/session-info' })).toBe(false)
    expect(ask(html, { path: '/de/actions/users/session-info' })).toBe(false)
  })
})
