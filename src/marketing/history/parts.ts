import { sql } from 'drizzle-orm'
import type { DeliveryParts } from '../delivery/parts.js'
import type { FeedsParts } from '../feeds/parts.js'
import type { ReviewsParts } from '../reviews/parts.js'
import type { Shop } from '../../core/shop.js'
import { createHistories } from './histories.js'
import { createHistoryWork } from './history-work.js'
import { createHistoryWorker } from './history-work.js'
import { defineParts, type ForgetPerson } from '../../core/feature.js'
import { historyTable } from './history-table.js'

export type HistoryParts = ReturnType<typeof build>

function build(shop: Shop, parts: DeliveryParts & FeedsParts & ReviewsParts) {
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
  forgetPerson({ database, effects }: Shop): ForgetPerson {
    const { table, at } = historyTable(database, effects.now)
    return (connection, { emails }) => [
      connection.update(
        table,
        { startedBy: null },
        database.isOneOf(sql`lower(${at('startedBy')})`, emails),
      ),
    ]
  },
})
