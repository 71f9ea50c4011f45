import type { Order } from '../../../payload-types.ts'

const words: Record<NonNullable<Order['status']>, string> = {
  processing: 'Being packed',
  completed: 'Completed',
  shipped: 'On its way',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
}

/** Where the order is, in a shopper's words. */
export const OrderStatus = ({ status }: { status: Order['status'] }) =>
  status ? (
    <span className="status" data-status={status}>
      {words[status]}
    </span>
  ) : null
