import { describe, expect, it } from 'vitest'
import { visibleUrl } from '../../../src/http/public-origin.js'

describe('The URL that the visitor sees', () => {
  it.each([
    // [the request's own URL, its headers, what the browser shows]
    ['https://shop.example/de/tee?q=1#x', {}, 'https://shop.example/de/tee'],
    ['http://127.0.0.1:3000/de', { host: 'shop.example' }, 'http://shop.example/de'],
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
  ])('of %s with %j is %s', (url, headers, expected) => {
    expect(visibleUrl({ url, headers: new Headers(headers) })).toBe(expected)
  })
})
