import { columnOrNull } from '../core/database/database.js'
import type { ForgetPerson } from '../core/feature.js'
import type { Shop } from '../core/shop.js'
import { skippedOrdersSlug } from './export/skipped-orders.js'
import { noticesSlug, withoutPerson } from './notice/notice-collection.js'

/** Removes a person from what is kept of pulls and parcels. */
export function createForgetPerson({ database }: Pick<Shop, 'database'>): ForgetPerson {
  const skipped = database.table(skippedOrdersSlug)
  const notices = database.table(noticesSlug)
  return (connection, { orders, isAnonymised }) => [
    ...(isAnonymised && orders.length > 0
      ? [connection.delete(skipped, database.isOneOf(columnOrNull(skipped, 'order'), orders))]
      : []),
    connection.update(
      notices,
      withoutPerson,
      database.isOneOf(columnOrNull(notices, 'order'), orders),
    ),
  ]
}
