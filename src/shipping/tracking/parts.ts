import { defineParts } from '../../core/feature.js'
import { featureMatters } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import type { ShippingParts } from '../parts.js'
import { trackingMatters } from './matters.js'
import { createMovedParcels } from './moved-parcels.js'
import { createTrackingAction, type ParcelEvents } from './tracking-action.js'
import { createWatchedParcels } from './watched-parcels.js'

export type TrackingParts = ReturnType<typeof build>

const build = (shop: Shop) => ({ movedParcels: createMovedParcels(shop) })

export const trackingParts = defineParts({
  build,
  matters(shop: Shop, { shippingSettings }: ShippingParts) {
    const watched = createWatchedParcels(shop)
    return featureMatters(trackingMatters, async () =>
      watched({ isOn: (await shippingSettings.get()).trackingUpdates }),
    )
  },
  actions: (shop: Shop, parts: ShippingParts & ParcelEvents) => ({
    'shippingconnect/tracking': createTrackingAction(shop, parts),
  }),
})
