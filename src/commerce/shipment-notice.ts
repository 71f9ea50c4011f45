/** How many of which line item a parcel holds. */
export interface ShippedLine {
  sku: string
  name: string
  quantity: number
}

/** What the shipping platform says of one parcel. */
export interface ShipmentNotice {
  carrier: string
  service: string
  trackingNumber: string
  /** The day of shipping as the platform wrote it, as an ISO date; undefined when not told. */
  shipDate: string | undefined
  /** What the label cost, as a decimal text in the platform's account currency. */
  shippingCost: string | undefined
  lines: ShippedLine[]
}

/** True when the notice carries something that the tracking entry holds. */
export const hasTracking = ({ carrier, service, trackingNumber }: ShipmentNotice): boolean =>
  carrier !== '' || service !== '' || trackingNumber !== ''
