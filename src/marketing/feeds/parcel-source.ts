import type { Shop } from '../../core/shop.js'
import type { MovedParcels } from '../../shipping/tracking/moved-parcels.js'
import { changedRows, dayMs, type Source } from './feed.js'

/** Reports the orders whose parcels got into another state. */
export const createParcelSource = (
  { database }: Pick<Shop, 'database'>,
  { movedParcels, orderSource }: { movedParcels: MovedParcels; orderSource: Source },
): Source => ({
  name: 'parcels',
  quietMs: 0,
  firstBackMs: dayMs,
  changedAfter: (from, range) => changedRows(database, movedParcels.rows, { from, ...range }),
  report: async (ids, range) => orderSource.report(await movedParcels.ordersOf(ids), range),
})
