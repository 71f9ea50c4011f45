import type { DeliveryParts } from '../delivery/feature.js'
import type { Feature, StoreConfig } from '../feature.js'
import type { FeedsParts } from '../feeds/feature.js'
import type { Shop } from '../shop.js'
import { createHistory } from './histories.js'
import { historyCollection } from './history-collection.js'

export type HistoryParts = ReturnType<typeof build>

function build(
  { options, database, log, clock, waits }: Shop,
  { orderRecords, contextOf, outbox }: DeliveryParts & FeedsParts,
) {
  const { histories, worker } = createHistory({
    database,
    ordersSlug: options.collections.orders,
    timezone: options.timezone,
    orders: orderRecords,
    contextOf,
    outbox,
    log,
    now: () => clock.now(),
    waits,
  })
  return { histories, historyWorker: worker }
}

/** Runs that send past orders. */
export const historyFeature = {
  collections: (store: StoreConfig<object, HistoryParts & DeliveryParts>) => [
    historyCollection(store),
  ],
  commands: { 'storeconnect:sync-orders': 'cli/sync-orders-script.js' },
  build,
  workers: (_shop: Shop, { historyWorker }: HistoryParts) => [historyWorker],
} satisfies Feature
