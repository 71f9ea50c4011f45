import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import type { erasureOptions } from './erasure-options.js'
import { createErasureWorker } from './erasure-worker.js'
import { createErasures, type Below } from './erasures.js'
import { defineParts, type Contributions } from '../../core/feature.js'

interface Options {
  erasure: OptionsOf<typeof erasureOptions>
}

export type ErasureParts = ReturnType<typeof build>

function build(shop: Shop<Options>, below: Below, { forgetPerson }: Contributions) {
  const { delivery, outbox } = below
  const erasures = createErasures(shop, { ...below, forgetPerson }, () => {
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
