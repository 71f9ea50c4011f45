import type { DeliveryParts } from '../delivery/feature.js'
import { defineFeature, type StoreConfig } from '../feature.js'
import type { FeedsParts } from '../feeds/feature.js'
import type { Shop } from '../shop.js'
import { createHistories } from './histories.js'
import { historyCollection } from './history-collection.js'
import { createHistoryWork } from './history-work.js'
import { createHistoryWorker } from './history-worker.js'

export type HistoryParts = ReturnType<typeof build>

function build(shop: Shop, parts: DeliveryParts & FeedsParts) {
  const historyWork = createHistoryWork(shop, parts)
  return {
    histories: createHistories(shop),
    historyWork,
    historyWorker: createHistoryWorker(shop, historyWork),
  }
}

/** Runs that send past orders. */
export const historyFeature = defineFeature({
  collections: (store: StoreConfig<object, HistoryParts & DeliveryParts>) => [
    historyCollection(store),
  ],
  commands: { 'storeconnect:sync-orders': 'cli/sync-orders-script.js' },
  build,
  workers: (_shop: Shop, { historyWorker }: HistoryParts) => [historyWorker],
})
