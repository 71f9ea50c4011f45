import { moneyText } from '../../../money-text.ts'
import type { Order } from '../../../payload-types.ts'
import { OrderLines } from '../orders/order-lines.tsx'
import { OrderStatus } from '../orders/order-status.tsx'
import { Tracking } from '../orders/tracking.tsx'

interface OrderRowProps {
  order: Order
  link: (path: string) => string
}

/** One order among a customer's. */
export const OrderRow = ({ link, order }: OrderRowProps) => (
  <li>
    <div className="order-head">
      <h3>
        <a href={link(`/orders/${order.number}`)}>
          <span className="unseen">Order </span>
          <span className="reference">{order.reference}</span>
        </a>
      </h3>
      <time dateTime={order.createdAt}>{dayText(order.createdAt)}</time>
      <OrderStatus status={order.status} />
      <strong className="row-price">{moneyText(order.amount ?? 0, order.currency ?? 'USD')}</strong>
    </div>
    <Tracking tracking={order.tracking} />
    <OrderLines order={order} />
  </li>
)

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

const dayText = (at: string): string => day.format(new Date(at))
