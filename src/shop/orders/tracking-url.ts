import type { Tracking } from './happening.js'

/** Tracking pages by carrier that need only the tracking number. */
const pages = [
  [/^ups\b/i, 'https://www.ups.com/track?tracknum='],
  [/^(?:usps|stamps[ .]com)\b/i, 'https://tools.usps.com/go/TrackConfirmAction?tLabels='],
  [/^fedex\b/i, 'https://www.fedex.com/fedextrack/?trknbr='],
  [/^dhl(?:\b|express)/i, 'https://www.dhl.com/en/express/tracking.html?AWB='],
] as const

/** The carrier's page of a parcel; undefined when it is not known. */
export function trackingUrl({ carrier, trackingNumber }: Tracking): string | undefined {
  const number = trackingNumber.replaceAll(/\s/g, '')
  const page = pageOf(carrier)
  return page !== undefined && /^[\w-]{4,60}$/.test(number) ? page + number : undefined
}

/** Whether two names of carriers, or ShipStation's codes of them, are known to mean different ones. */
export function isOtherCarrier(one: string, other: string): boolean {
  const [page, otherPage] = [pageOf(one), pageOf(other)]
  return page !== undefined && otherPage !== undefined && page !== otherPage
}

function pageOf(carrier: string): string | undefined {
  const name = carrier.trim().replaceAll('_', ' ')
  return pages.find(([known]) => known.test(name))?.[1]
}
