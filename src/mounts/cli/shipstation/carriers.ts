import { createHash } from 'node:crypto'

interface Carrier {
  defaultService: string
  trackingPrefix: string
  trackingDigits: number
}

const CARRIERS = new Map<string, Carrier>([
  ['USPS', { defaultService: 'Priority Mail', trackingPrefix: '94001', trackingDigits: 17 }],
  ['UPS', { defaultService: 'UPS Ground', trackingPrefix: '1Z', trackingDigits: 16 }],
  ['FedEx', { defaultService: 'FedEx Ground', trackingPrefix: '', trackingDigits: 12 }],
])

const OTHER: Carrier = { defaultService: 'Standard', trackingPrefix: 'SS', trackingDigits: 12 }

const carrierNamed = (name: string): Carrier => CARRIERS.get(name) ?? OTHER

export const defaultService = (carrier: string): string => carrierNamed(carrier).defaultService

/** Looks like the carrier's; made from the order's number, so that a second run sends the same. */
export function madeUpTrackingNumber(carrier: string, orderNumber: string): string {
  const { trackingPrefix, trackingDigits } = carrierNamed(carrier)
  const hash = createHash('sha256').update(`${carrier}\n${orderNumber}`).digest('hex')
  return trackingPrefix + BigInt(`0x${hash}`).toString().slice(-trackingDigits)
}
