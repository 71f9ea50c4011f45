import type { Order } from '../../../payload-types.ts'
import { trackingUrl } from '../../../tracking-url.ts'

/** How the parcel travels, with the carrier's own page where it has one. */
export function Tracking({ tracking }: Pick<Order, 'tracking'>) {
  const [parcel] = tracking ?? []
  if (!parcel) return null
  const { carrier, service, trackingNumber } = parcel
  const url = trackingUrl(carrier, trackingNumber)
  return (
    <p className="tracking">
      {[carrier, service].filter(Boolean).join(' ')}
      {trackingNumber && ' · '}
      {url ? (
        <a href={url} rel="noreferrer">
          {trackingNumber}
        </a>
      ) : (
        trackingNumber
      )}
    </p>
  )
}
