import type { DeliveryParts } from '../delivery/parts.js'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { historyCollection } from './history-collection.js'
import type { HistoryParts } from './parts.js'

/** Runs that send past orders. */
export const historyFeature = defineFeature({
  collections: (store: StoreConfig<object, HistoryParts & DeliveryParts>) => [
    historyCollection(store),
  ],
  commands: { 'storeconnect:sync-orders': 'mounts/cli/sync-orders-script.js' },
  parts: async () => (await import('./parts.js')).historyParts,
})
