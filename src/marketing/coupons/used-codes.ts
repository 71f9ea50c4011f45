import { column } from '../../core/database/database.js'
import type { Shop } from '../../core/shop.js'
import { orderCondition } from '../../shop/orders/order-reader.js'
import { changedRows, dayMs, type Source } from '../feeds/feed.js'
import type { FeedsParts } from '../feeds/parts.js'
import type { CouponCodes } from './coupon-codes.js'
import { isCode } from './coupon-options.js'

/** Finds the orders that have a code, whatever saved them. */
export function createUsedCodes(
  { database, options, effects }: Shop,
  { orderRecords, codes }: Pick<FeedsParts, 'orderRecords'> & { codes: CouponCodes },
): Source {
  const table = database.table(options.collections.orders)
  const rows = {
    table,
    at: column(table, 'updatedAt'),
    condition: orderCondition({ database, options }),
  }
  return {
    name: 'coupons',
    quietMs: 0,
    firstBackMs: dayMs,
    changedAfter: (from, range) => changedRows(database, rows, { from, ...range }),
    async report(ids) {
      const { orders, hasFailed } = await orderRecords.readPage(ids)
      const used = orders.map(({ order }) => order.discountCode).filter(isCode)
      if (used.length > 0) await codes.noteUsed(used, effects.now())
      return { sends: [], hasFailed }
    },
  }
}
