import type { Properties } from '../marketing/profile.js'
import type { Tracking } from './happening.js'
import { plainText, presentValues } from './property-values.js'

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
  const page = pages.find((known) => known.carrier.test(carrier.trim().replaceAll('_', ' ')))
  return page === undefined || !/^[\w-]{4,60}$/.test(number) ? undefined : page.before + number
}
