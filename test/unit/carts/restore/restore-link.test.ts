import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createRestoreLinks,
  isCoupon,
  type LinkOptions,
  type RestoreLink,
} from '../../../../src/carts/restore-link.js'
import { mutationsOf } from '../../../support/mutations.js'
import { propertyRuns, propertyTimeoutMs } from '../../../support/property-runs.js'

const secret = 'a secret of the store'
const base = 'https://shop.example/de'
const number = '0123456789abcdef0123456789abcdef'
const day = 24 * 60 * 60 * 1000

const linksAt = (time: number, options: LinkOptions = {}) =>
  createRestoreLinks(options, { secret, now: () => new Date(time) })

function linkIn(url: string | undefined): RestoreLink {
  const query = new URL(url ?? '').searchParams
  const text = (name: string) => query.get(name) ?? undefined
  return {
    number: query.get('number') ?? '',
    coupon: text('coupon'),
    expires: text('expires'),
    signature: text('signature'),
  }
}

describe('createRestoreLinks', () => {
  it('makes none of a base URL that leads nowhere, nor with a coupon that none can carry', () => {
    const baseUrls = ['', '/de', 'shop.example', 'ftp://shop.example', 'https://a:b@shop.example']
    for (const baseUrl of baseUrls) expect(linksAt(0).url(baseUrl, { number })).toBeUndefined()
    for (const coupon of ['', ' ', 'a\nb', 'x'.repeat(65), '\ud800']) {
      expect(isCoupon(coupon)).toBe(false)
      expect(() => linksAt(0).url(base, { number, coupon })).toThrow(TypeError)
    }
  })

  it('signs links that expire, and ends them to the second', () => {
    const link = linkIn(linksAt(1000 * day, { linkDays: 3 }).url(base, { number }))
    expect(link.expires).toBe(String((1003 * day) / 1000))
    expect(linksAt(1003 * day - 1, { linkDays: 3 }).check(link)).toBe('good')
    expect(linksAt(1003 * day, { linkDays: 3 }).check(link)).toBe('expired')
    // What a link says of itself holds, whatever the store has decided since.
    expect(linksAt(1003 * day, { signedLinks: true }).check(link)).toBe('expired')
  })

  it('takes a signed link from before links expired for an expired one', () => {
    const link = linkIn(linksAt(0, { signedLinks: true }).url(base, { number }))
    expect(linksAt(0, { linkDays: 30 }).check(link)).toBe('expired')
  })

  it(
    'never takes a change of number, coupon, expiry or signature for a link of its own',
    () => {
      const links = linksAt(0, { linkDays: 3 })
      const link = linkIn(links.url(base, { number, coupon: 'TEA-10' }))
      const parts = ['number', 'coupon', 'expires', 'signature'] as const
      const changed = fc
        .constantFrom(...parts)
        .chain((part) => mutationsOf(link[part] ?? '').map((text) => ({ ...link, [part]: text })))
      fc.assert(
        fc.property(changed, (other) => {
          const isSame = parts.every((part) => other[part] === link[part])
          expect(links.check(other)).toBe(isSame ? 'good' : 'forged')
        }),
        { numRuns: propertyRuns },
      )
    },
    propertyTimeoutMs,
  )

  it('never reads one part of a link as another', () => {
    const links = linksAt(0, { signedLinks: true })
    const link = linkIn(links.url(base, { number, coupon: '99999999' }))
    expect(links.check({ ...link, coupon: undefined, expires: '99999999' })).toBe('forged')
    expect(links.check({ ...link, coupon: undefined })).toBe('forged')
    expect(links.check({ ...link, number: `${number}99999999`, coupon: undefined })).toBe('forged')
  })
})
