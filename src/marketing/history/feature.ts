import { defineFeature, type StoreConfig } from '../../core/feature.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import { historyCollection } from './history-collection.js'
import type { HistoryParts } from './parts.js'

/** Runs that send past orders. */
export const historyFeature = defineFeature({
  collections: (store: StoreConfig<object, HistoryParts & WorkerParts>) => [
    historyCollection(store),
  ],
  parts: async () => (await import('./parts.js')).historyParts,
})
