import type { Properties } from '../marketing/profile.js'
import type { Tracking } from './happening.js'
import { plainText, presentValues } from './property-values.js'

/** Pages that need the number alone, by carrier. */
const pages = [
  [/^ups\b/i, 'https://www.ups.com/track?tracknum='],
  [/^(?:usps|stamps[ .]com)\b/i, 'https://tools.usps.com/go/TrackConfirmAction?tLabels='],
  [/^fedex\b/i, 'https://www.fedex.com/fedextrack/?trknbr='],
  [/^dhl(?:\b|express)/i, 'https://www.dhl.com/en/express/tracking.html?AWB='],
] as const

/** By whom a parcel is sent, and where the buyer can follow it. */
export const trackingProperties = (tracking: Tracking): Properties =>
  presentValues({
    Carrier: plainText(tracking.carrier),
    Service: plainText(tracking.service),
    TrackingNumber: plainText(tracking.trackingNumber),
    TrackingURL: trackingUrl(tracking),
  })

/** Undefined for a carrier whose page is not known. */
function trackingUrl({ carrier, trackingNumber }: Tracking): string | undefined {
  const number = trackingNumber.replaceAll(/\s/g, '')
  const name = carrier.trim().replaceAll('_', ' ')
  const page = pages.find(([known]) => known.test(name))
  return page !== undefined && /^[\w-]{4,60}$/.test(number) ? page[1] + number : undefined
}
