import { describe, expect, it } from 'vitest'
import { trackingUrl } from '../../../dev/tracking-url.ts'

describe('the link to a parcel', () => {
  it('leads to the page of a carrier that is known, however it is written', () => {
    expect(trackingUrl(' usps ', '9400 111')).toBe(
      'https://tools.usps.com/go/TrackConfirmAction?tLabels=9400%20111',
    )
  })

  it.each([
    ['Yamato', '4470'],
    ['constructor', '1'],
    [null, '1'],
    ['UPS', ''],
    ['UPS', null],
  ])('is missing for %s and %s', (carrier, number) => {
    expect(trackingUrl(carrier, number)).toBeUndefined()
  })
})
