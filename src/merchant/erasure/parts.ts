import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import type { MarketingSettingsParts } from '../../marketing/settings/parts.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { ShippingParts } from '../../shipping/parts.js'
import type { FeedsParts } from '../../marketing/feeds/parts.js'
import type { Shop } from '../../core/shop.js'
import type { erasureOptions } from './erasure-options.js'
import { createErasureWorker } from './erasure-worker.js'
import { createErasures } from './erasures.js'
import { defineParts } from '../../core/feature.js'

interface Options {
  erasure: OptionsOf<typeof erasureOptions>
}

export type ErasureParts = ReturnType<typeof build>

function build(
  shop: Shop<Options>,
  below: ShippingParts & MarketingSettingsParts & DeliveryParts & FeedsParts,
) {
  const { delivery, outbox } = below
  const erasures = createErasures(shop, below, () => {
    erasureWorker.wake()
    delivery.wake()
  })
  const erasureWorker = createErasureWorker(shop, { erasures, outbox })
  return { erasures, erasureWorker }
}

export const erasureParts = defineParts({
  build,
  workers: (_shop: Shop, { erasureWorker }: ErasureParts) => [erasureWorker],
})
