import type { DocumentId } from '../commerce/order.js'
import type { OrderSelection } from './order-list.js'

/** Looks at what an export would list. Unlike `OrderList` it fixes nothing, so no pull is disturbed. */
export interface OrderLook {
  /** How many orders a selection has, and the first ones in the export's order. */
  matches(
    selection: Pick<OrderSelection, 'window' | 'store'>,
    most: number,
  ): Promise<{ total: number; ids: DocumentId[] }>
  /** Whether an export of all times has the order: drafts and what is in the trash are not. */
  isListed(id: DocumentId): Promise<boolean>
}
