import { describe, expect, it } from 'vitest'
import { siteUrl } from '../../../../src/shop/sites/site.js'

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

  it('is nowhere when the place is no path or page of the web, or the base URL is none', () => {
    const places = [
      '',
      ' /cart',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/ca\nrt',
    ]
    for (const place of [...places, 'https://a:b@shop.example/cart']) {
      expect(siteUrl('https://shop.example', place), place).toBeUndefined()
    }
    const baseUrls = ['', '/de', 'shop.example', 'ftp://shop.example', 'https://a:b@shop.example']
    for (const baseUrl of baseUrls) expect(siteUrl(baseUrl, '/cart'), baseUrl).toBeUndefined()
  })
})
