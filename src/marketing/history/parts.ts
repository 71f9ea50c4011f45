import type { DeliveryParts } from '../delivery/parts.js'
import type { FeedsParts } from '../feeds/parts.js'
import type { Shop } from '../../core/shop.js'
import { createHistories } from './histories.js'
import { createHistoryWork } from './history-work.js'
import { createHistoryWorker } from './history-worker.js'
import { defineParts } from '../../core/feature.js'

export type HistoryParts = ReturnType<typeof build>

function build(shop: Shop, parts: DeliveryParts & FeedsParts) {
  const historyWork = createHistoryWork(shop, parts)
  return {
    histories: createHistories(shop),
    historyWork,
    historyWorker: createHistoryWorker(shop, historyWork),
  }
}

export const historyParts = defineParts({
  build,
  workers: (_shop: Shop, { historyWorker }: HistoryParts) => [historyWorker],
})
