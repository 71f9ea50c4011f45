import type { Tracking } from './happening.js'

/** Pages that need the number alone. */
const pages: readonly { carrier: RegExp; before: string }[] = [
  { carrier: /^ups\b/i, before: 'https://www.ups.com/track?tracknum=' },
  {
    carrier: /^(?:usps|stamps[ .]com)\b/i,
    before: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
  },
  { carrier: /^fedex\b/i, before: 'https://www.fedex.com/fedextrack/?trknbr=' },
  {
    carrier: /^dhl(?:\b|express)/i,
    before: 'https://www.dhl.com/en/express/tracking.html?AWB=',
  },
]

/** Where a buyer can follow a parcel; undefined for a carrier whose page is not known. */
export function trackingUrl({
  carrier,
  trackingNumber,
}: Pick<Tracking, 'carrier' | 'trackingNumber'>): string | undefined {
  const number = trackingNumber.replaceAll(/\s/g, '')
  const page = pages.find((known) => known.carrier.test(carrier.trim().replaceAll('_', ' ')))
  return page === undefined || !/^[\w-]{4,60}$/.test(number) ? undefined : page.before + number
}
