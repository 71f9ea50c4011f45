import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imageUrl } from '../../../../src/shop/orders/line-snapshot.js'

const shop = 'https://shop.example'

describe('imageUrl', () => {
  it.each([
    ['http://cdn.example:8080/tea.png?v=2', 'http://cdn.example:8080/tea.png?v=2'],
    ['/media/tea.png', 'https://shop.example/media/tea.png'],
    ['//cdn.example/tea.png', 'https://cdn.example/tea.png'],
    ['/media/grüner tee.png', 'https://shop.example/media/gr%C3%BCner%20tee.png'],
    ['/media/a|b^c.png', 'https://shop.example/media/a%7Cb%5Ec.png'],
    ['/media/100%a%20b.png', 'https://shop.example/media/100%25a%20b.png'],
    ['/media/a[1].png?x=[2]', 'https://shop.example/media/a%5B1%5D.png?x=%5B2%5D'],
    ['https://user:secret@cdn.example/a.png', 'https://cdn.example/a.png'],
    ['https://cdn.example/a.png#part', 'https://cdn.example/a.png'],
    ['https://bücher.example/a.png', 'https://xn--bcher-kva.example/a.png'],
  ])('writes %s as %s', (text, expected) => {
    expect(imageUrl(text, shop)).toBe(expected)
  })

  it('is empty for what is no picture of the web, and for a path when the shop has no address', () => {
    const others = [
      '',
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      'ftp://x/y',
      'http://[',
    ]
    for (const text of others) expect(imageUrl(text, shop), text).toBe('')
    expect(imageUrl('/media/tea.png', '')).toBe('')
    expect(imageUrl('https://cdn.example/tea.png', '')).toBe('https://cdn.example/tea.png')
  })

  it('is empty or an absolute URL of characters that RFC 3986 allows, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, isPath) => {
        const url = imageUrl(isPath ? `/${text.toWellFormed()}` : text.toWellFormed(), shop)
        expect(url).toMatch(/^$|^https?:\/\/(?:[\w\-.~:/?@!$&'()*+,;=[\]]|%[\dA-Fa-f]{2})+$/)
      }),
    )
  })
})
