import { describe, expect, it } from 'vitest'
import { parseUrl } from '../../../src/http/parse-url.js'

describe('parseUrl', () => {
  it('reads a URL, and a path with its base', () => {
    expect(parseUrl('https://shop.example/tea')?.pathname).toBe('/tea')
    expect(parseUrl('/tea', 'https://shop.example')?.href).toBe('https://shop.example/tea')
  })

  it.each(['', '/tea', 'https://', 'http://['])('is undefined for %j', (text) => {
    expect(parseUrl(text)).toBeUndefined()
  })

  it('reads a host with umlauts, however often it is asked', () => {
    const texts = Array.from({ length: 50_000 }, () => 'https://bücher.example')
    expect(texts.filter((text) => parseUrl(text) === undefined)).toEqual([])
  })
})
