import { describe, expect, it } from 'vitest'
import { shoppingSite } from '../../../../src/shop/sites/sites.js'
import { aSite, sitesAt } from './a-site.js'

const sites = [
  ...sitesAt(
    'https://shop.example',
    'https://shop.example/de',
    'https://shops.example',
    'https://closed.example',
  ),
  aSite({ handle: 'primary', baseUrl: 'https://main.example', primary: true }),
].map((site) => (site.baseUrl.includes('closed') ? { ...site, enabled: false } : site))

const api = 'https://shop.example/api/carts'
const elsewhere = 'https://api.example/api/carts'

describe('The site that a shopper was on when the API was asked', () => {
  it.each([
    // [what it goes by, [the API's URL, Referer], the site]
    ['a page of the same origin', [api, 'https://shop.example/de/tee'], 'https://shop.example/de'],
    ['a page of another site', [api, 'https://shops.example/tea'], 'https://shops.example'],
    ['no page at all', [api], 'https://shop.example'],
    ['a page of somebody else', [api, 'https://evil.example/de'], 'https://shop.example'],
    ['a page of a disabled site', [api, 'https://closed.example/'], 'https://shop.example'],
    ['a page that is no http', [api, 'android-app://shop.example/de'], 'https://shop.example'],
    ['the own page, where no site is', [elsewhere, 'https://api.example/admin'], 'primary'],
    ['no page, where no site is', [elsewhere], 'primary'],
    ['a strange page, where no URL is known', [undefined, 'https://evil.example/'], 'primary'],
  ])('goes by %s', (_, [url, referer], expected) => {
    const headers = new Headers(referer === undefined ? {} : { referer })
    expect(shoppingSite(sites, { url, headers })?.handle).toBe(expected)
  })

  it('goes by the host, where the request of the page was passed on and nothing else tells', () => {
    const headers = new Headers({ host: 'shops.example', 'x-forwarded-proto': 'https' })
    expect(shoppingSite(sites, { url: undefined, headers })?.handle).toBe('https://shops.example')
    expect(shoppingSite([], { url: api, headers })).toBeUndefined()
  })
})
