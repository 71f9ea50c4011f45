const pages: Record<string, (trackingNumber: string) => string> = {
  aramex: (number) => `https://www.aramex.com/track/results?ShipmentNumber=${number}`,
  dhl: (number) => `https://www.dhl.com/global-en/home/tracking.html?tracking-id=${number}`,
  fedex: (number) => `https://www.fedex.com/fedextrack/?trknbr=${number}`,
  ups: (number) => `https://www.ups.com/track?tracknum=${number}`,
  usps: (number) => `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`,
}

/** The carrier's own page about a parcel; undefined for a carrier that is not known. */
export function trackingUrl(
  carrier: string | null | undefined,
  trackingNumber: string | null | undefined,
): string | undefined {
  const name = carrier?.trim().toLowerCase() ?? ''
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined
  return page && trackingNumber ? page(encodeURIComponent(trackingNumber.trim())) : undefined
}
