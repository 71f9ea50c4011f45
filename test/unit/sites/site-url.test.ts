import { describe, expect, it } from 'vitest'
import { siteUrl } from '../../../src/sites/site-url.js'

describe('siteUrl', () => {
  it.each([
    ['https://shop.example', '/cart', 'https://shop.example/cart'],
    ['https://shop.example/', 'cart', 'https://shop.example/cart'],
    ['https://shop.example/de', '/cart', 'https://shop.example/de/cart'],
    ['https://shop.example/de//', 'cart?step=1#top', 'https://shop.example/de/cart?step=1#top'],
    ['https://shop.example/de?a=1#b', '/cart', 'https://shop.example/de/cart'],
    ['http://[::1]:3000/de', '/cart', 'http://[::1]:3000/de/cart'],
    ['https://shop.example/de', '/../../cart', 'https://shop.example/de/cart'],
    ['https://shop.example/de', 'https://pay.example/cart', 'https://pay.example/cart'],
    ['junk', 'https://pay.example/cart', 'https://pay.example/cart'],
  ])('of %s, %s is %s', (baseUrl, place, expected) => {
    expect(siteUrl(baseUrl, place)).toBe(expected)
  })

  it.each([
    ['https://shop.example', ''],
    ['https://shop.example', ' /cart'],
    ['https://shop.example', '//evil.example'],
    ['https://shop.example', '/\\evil.example'],
    ['https://shop.example', 'javascript:alert(1)'],
    ['https://shop.example', 'https://a:b@shop.example/cart'],
    ['https://shop.example', '/ca\nrt'],
    ['', '/cart'],
    ['/de', '/cart'],
    ['shop.example', '/cart'],
    ['ftp://shop.example', '/cart'],
    ['https://a:b@shop.example', '/cart'],
  ])('of %j, %j is nowhere', (baseUrl, place) => {
    expect(siteUrl(baseUrl, place)).toBeUndefined()
  })
})
