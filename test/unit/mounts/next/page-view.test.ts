import { expect, it } from 'vitest'
import { isPageView } from '../../../../src/mounts/next/visitor-session.js'

const ask = (headers: Record<string, string>, { method = 'GET', path = '/tea' } = {}) =>
  isPageView(new Request(`https://shop.example${path}`, { method, headers }))

const html = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

it.each<[what: string, headers: Record<string, string>, isOne: boolean]>([
  ['a navigation', { 'sec-fetch-dest': 'document', ...html }, true],
  ['a browser that does not say where it puts the answer', html, true],
  ['what Next.js fetches for another page', { 'sec-fetch-dest': 'empty', ...html }, false],
  ['the same without Sec-Fetch-Dest', { accept: '*/*' }, false],
  ['a frame', { 'sec-fetch-dest': 'iframe', ...html }, false],
  ['a picture', { 'sec-fetch-dest': 'image', accept: 'image/*' }, false],
  ['a prefetch', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document' }, false],
  ['a prerender', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-dest': 'document' }, false],
  ['an older prefetch', { purpose: 'prefetch', ...html }, false],
  ['a client that accepts anything', {}, false],
])('a page view is %s: %j, %s', (_, headers, isOne) => {
  expect(ask(headers)).toBe(isOne)
})

it('a page view is a GET of something else than an action', () => {
  expect(ask(html, { method: 'POST' })).toBe(false)
  expect(ask(html, { method: 'HEAD' })).toBe(false)
  expect(ask(html, { path: '/de/actions/users/session-info' })).toBe(false)
})
