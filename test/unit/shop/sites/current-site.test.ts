import { describe, expect, it } from 'vitest'
import { currentSite, fittingSite } from '../../../../src/shop/sites/sites.js'
import { aSite, sitesAt } from './a-site.js'

describe('The current site', () => {
  const byPath = ['https://shop.example', 'https://shop.example/de', 'https://shop.example/de/at']
  it.each([
    ['https://shop.example', 0],
    ['https://shop.example/tea?q=/de#/de', 0],
    ['https://shop.EXAMPLE/de?x', 1],
    ['https://shop.example/de/', 1],
    ['https://shop.example/de/tee', 1],
    ['https://shop.example/de/at/tee', 2],
    ['https://shop.example/de/attic', 1],
    ['https://shop.example/demo', 0],
    ['https://shop.example/en/de', 0],
    ['https://shop.example/DE', 0],
    ['https://shop.example//de', 0],
  ])('at %s is the one of the longest path, segment by segment', (url, index) => {
    const expected = byPath[index]
    expect(currentSite(sitesAt(...byPath), url)?.baseUrl).toBe(expected)
    expect(currentSite(sitesAt(...byPath).reverse(), url)?.baseUrl).toBe(expected)
  })

  it.each([
    ['http://shop.example', 'https://shop.example/'],
    ['https://shop.example', 'https://www.shop.example/'],
    ['https://shop.example', 'https://shop.example.evil.example/'],
    ['https://shop.example', 'https://evil.example/https://shop.example'],
    ['https://shop.example', 'https://shop.example:8443/'],
    ['https://shop.example/de', 'https://shop.example/'],
    ['https://shop.example/de/', 'https://shop.example/demo'],
    ['https://shop.example/de', 'https://shop.example/%64e'],
  ])('is not %s at %s', (baseUrl, url) => {
    expect(currentSite(sitesAt(baseUrl), url)).toBeUndefined()
  })

  it.each([
    ['https://SHOP.example:443', 'https://shop.example/'],
    ['https://shop.example/de///', 'https://shop.example/de'],
    ['https://shop.example', 'https://shop.example:443/'],
    ['http://localhost:3000', 'http://localhost:3000/tea'],
    ['http://[::1]:3000/de', 'http://[0:0:0:0:0:0:0:1]:3000/de/tee'],
    ['http://[::ffff:127.0.0.1]', 'http://[::ffff:7f00:1]/'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
    ['https://shop.example/größen', 'https://shop.example/gr%C3%B6%C3%9Fen/1'],
  ])('is %s at %s, spelled otherwise', (baseUrl, url) => {
    expect(currentSite(sitesAt(baseUrl), url)?.baseUrl).toBe(baseUrl)
  })

  it.each(['', ' ', 'shop.example', '/de', 'https://', 'https://[', 'about:blank', 'mailto:a@b.c'])(
    'is never one whose base URL is %j, and that one fails nothing',
    (baseUrl) => {
      const sites = sitesAt(baseUrl, 'https://shop.example')
      expect(currentSite(sites, 'https://shop.example/de')?.baseUrl).toBe('https://shop.example')
      expect(currentSite(sites, 'https://other.example/')).toBeUndefined()
    },
  )

  it('is none that is disabled: the next best stands in', () => {
    const [whole, german] = sitesAt('https://shop.example', 'https://shop.example/de')
    const sites = [aSite(whole), aSite({ ...german, enabled: false })]
    expect(currentSite(sites, 'https://shop.example/de/tee')?.id).toBe(1)
  })

  it('is the primary one where none fits, or no URL is known', () => {
    const sites = [...sitesAt('https://one.example'), aSite({ id: 2, primary: true })]
    expect(currentSite(sites, 'https://one.example/')?.id).toBe(1)
    expect(currentSite(sites, 'https://two.example/')?.id).toBe(2)
    expect(currentSite(sites, undefined)?.id).toBe(2)
    expect(fittingSite(sites, 'https://two.example/')).toBeUndefined()
  })

  it('is none where there is neither, and the first of two at the same place', () => {
    expect(currentSite([], 'https://shop.example/')).toBeUndefined()
    expect(currentSite(sitesAt('https://one.example'), undefined)).toBeUndefined()
    const sites = sitesAt('https://shop.example/de', 'https://shop.example/de/')
    expect(currentSite(sites, 'https://shop.example/de')?.id).toBe(1)
  })
})
