import { describe, expect, it } from 'vitest'
import { createOwnOrigins, isFromOwnSite } from '../../../../src/core/http/public-origin.js'

const isOwnOrigin = createOwnOrigins([
  'https://shop.example/de',
  'https://www.shop.example',
  '',
  'data:text/plain,x',
  '/no/url',
])

const from = (headers: Record<string, string>, url = 'https://shop.example/actions/x') =>
  isFromOwnSite({ url, headers: new Headers(headers) }, isOwnOrigin)

describe('isFromOwnSite', () => {
  it.each([
    ['says nothing, as a client that is no browser does', {}],
    ['is on the same origin', { origin: 'https://shop.example' }],
    ['is on an origin of the config', { origin: 'https://www.shop.example' }],
    ['is on the same origin by its own word', { 'sec-fetch-site': 'same-origin' }],
    ['hides its origin', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['was opened by the visitor', { 'sec-fetch-site': 'none' }],
    ['is of the list', { 'sec-fetch-site': 'same-site', origin: 'https://www.shop.example' }],
  ])('lets a post through when the page %s', (_what, headers) => {
    expect(from(headers)).toBe(true)
  })

  it.each([
    ['is on another site', { origin: 'https://evil.example' }],
    ['is on another site by the word of the browser', { 'sec-fetch-site': 'cross-site' }],
    ['is in other letters', { 'sec-fetch-site': 'Cross-Site' }],
    ['claims to be ours', { 'sec-fetch-site': 'cross-site', origin: 'https://shop.example' }],
    ['is of no list', { 'sec-fetch-site': 'same-site', origin: 'https://blog.shop.example' }],
    ['is sandboxed', { origin: 'null' }],
    ['is on http', { origin: 'http://shop.example' }],
    ['is on another port', { origin: 'https://shop.example:8443' }],
    ['looks alike', { origin: 'https://shop.example.evil.example' }],
    ['is blank', { origin: '' }],
  ])('refuses a post when the page %s', (_what, headers) => {
    expect(from(headers)).toBe(false)
  })

  it('knows the origin of each site that the store answers on', () => {
    const url = 'https://second.example/actions/x'
    expect(from({ origin: 'https://second.example' }, url)).toBe(true)
    expect(from({ origin: 'https://second.example' })).toBe(false)
  })

  it('knows the origin behind a proxy that ends TLS', () => {
    const headers = { origin: 'https://other.example', 'x-forwarded-proto': 'https' }
    expect(from(headers, 'http://other.example/actions/x')).toBe(true)
    expect(from({ origin: 'https://other.example' }, 'http://other.example/actions/x')).toBe(false)
  })
})
