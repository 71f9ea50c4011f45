import { describe, expect, it } from 'vitest'
import { pathInAmerica } from '../../../dev/america-path.ts'
import { sitesAt } from '../../../dev/seed/sites.ts'
import { currentSite } from '../../../src/sites/sites.js'

const sitesOf = (origin: string) =>
  sitesAt(origin).map((site, index) => ({ ...site, id: index + 1 }))

describe('the three sites of the demo store', () => {
  it.each([
    ['http://127.0.0.1:3000/cart', 'europe'],
    ['http://127.0.0.1:3000/usa', 'europe'],
    ['http://127.0.0.1:3000/us', 'america'],
    ['http://127.0.0.1:3000/us/cart', 'america'],
    ['http://localhost:3000/us/cart', 'wholesale'],
    ['http://localhost:3000/', 'wholesale'],
    ['http://[::1]:3000/', 'europe'],
  ])('share one server: %s is %s', (url, handle) => {
    expect(currentSite(sitesOf('http://127.0.0.1:3000'), url)?.handle).toBe(handle)
  })

  it('stay three when the store is called localhost', () => {
    const urls = sitesAt('http://localhost:4000').map(({ baseUrl }) => baseUrl)
    expect(urls).toEqual([
      'http://localhost:4000',
      'http://localhost:4000/us',
      'http://127.0.0.1:4000',
    ])
  })

  it('sell for two commerce stores, and one of them stands in for all', () => {
    const sites = sitesAt('http://127.0.0.1:3000')
    expect(sites.map(({ store }) => store)).toEqual(['kettle-quill', 'kettle-quill', 'wholesale'])
    expect(sites.filter(({ primary }) => primary).map(({ handle }) => handle)).toEqual(['europe'])
  })
})

describe('the pages of America', () => {
  it.each([
    ['/us', '/'],
    ['/us/', '/'],
    ['/us/products/bottled-ink', '/products/bottled-ink'],
    ['/', undefined],
    ['/usher', undefined],
    ['/products/us', undefined],
  ])('are those of the whole shop: %s is %s', (pathname, page) => {
    expect(pathInAmerica(pathname)).toBe(page)
  })
})
