import { moneyText } from '../../../money-text.ts'
import type { Order } from '../../../payload-types.ts'

/** What came to the lines' prices, and the sum. */
export function OrderAmounts({ order }: { order: Order }) {
  const currency = order.currency ?? 'USD'
  const others = [
    { label: 'Discount', amount: -(order.discountAmount ?? 0) },
    { label: 'Shipping', amount: order.shippingAmount ?? 0 },
    { label: 'Tax', amount: order.taxAmount ?? 0 },
  ].filter(({ amount }) => amount !== 0)
  return (
    <dl className="amounts">
      {others.map(({ amount, label }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{moneyText(amount, currency)}</dd>
        </div>
      ))}
      <div className="total">
        <dt>Total</dt>
        <dd>{moneyText(order.amount ?? 0, currency)}</dd>
      </div>
    </dl>
  )
}
