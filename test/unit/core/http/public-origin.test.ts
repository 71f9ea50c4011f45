import { expect, it } from 'vitest'
import { parseUrl, visibleUrl } from '../../../../src/core/http/public-origin.js'

it.each([
  // [the request's own URL, its headers, what the browser shows]
  ['https://shop.example/de/tee?q=1#x', {}, 'https://shop.example/de/tee'],
  ['http://[::1]:3000/', { host: 'localhost:3000' }, 'http://localhost:3000/'],
  [
    'http://127.0.0.1:3000/de',
    { host: 'shop.example', 'x-forwarded-proto': 'https' },
    'https://shop.example/de',
  ],
  ['https://127.0.0.1/de', { host: 'shop.example:8443' }, 'https://shop.example:8443/de'],
  [undefined, { host: 'shop.example' }, 'http://shop.example/'],
  [undefined, { host: 'shop.example', 'x-forwarded-proto': 'https' }, 'https://shop.example/'],
  [undefined, {}, undefined],
  ['https://shop.example/', { host: 'a b' }, 'https://shop.example/'],
  ['https://shop.example/', { host: '[' }, 'https://shop.example/'],
])('the visitor sees of %s with %j: %s', (url, headers, expected) => {
  expect(visibleUrl({ url, headers: new Headers(headers) })).toBe(expected)
})

it('a host with umlauts is read, however often it is asked', () => {
  const texts = Array.from({ length: 50_000 }, () => 'https://bücher.example')
  expect(texts.filter((text) => parseUrl(text) === undefined)).toEqual([])
  expect(parseUrl('/tea', 'https://shop.example')?.href).toBe('https://shop.example/tea')
  for (const none of ['', '/tea', 'http://[']) expect(parseUrl(none)).toBeUndefined()
})
