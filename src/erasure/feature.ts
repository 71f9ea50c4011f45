import type { DeliveryParts } from '../delivery/feature.js'
import { defineFeature, type StoreConfig } from '../feature.js'
import type { MarketingSettingsParts } from '../marketing-settings/feature.js'
import type { OptionsOf } from '../options-schema.js'
import type { ShippingParts } from '../shipping/feature.js'
import type { FeedsParts } from '../feeds/feature.js'
import type { Shop } from '../shop.js'
import { erasureCollection } from './erasure-collection.js'
import { erasureOptions } from './erasure-options.js'
import { createErasureWorker } from './erasure-worker.js'
import { createErasures } from './erasures.js'
import { withErasure } from './with-erasure.js'

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

/** Erases a person. */
export const erasureFeature = defineFeature({
  options: { erasure: erasureOptions },
  collections: (store: StoreConfig<object, ErasureParts>) => [erasureCollection(store)],
  hooks: ({ customersSlug, partsOf }: StoreConfig<object, ErasureParts>) => ({
    ...(customersSlug && {
      [customersSlug]: (customers) =>
        customers.auth ? withErasure(customers, partsOf) : customers,
    }),
  }),
  commands: { 'storeconnect:erase': 'cli/erase-script.js' },
  build,
  workers: (_shop: Shop, { erasureWorker }: ErasureParts) => [erasureWorker],
})
