import { moneyText } from '../../../money-text.ts'
import type { Order } from '../../../payload-types.ts'

/** What was bought, as it was called and priced then. */
export const OrderLines = ({ order: { currency, items } }: { order: Order }) => (
  <ul className="order-lines">
    {(items ?? []).map(({ id, name, options, quantity, unitPrice }) => (
      <li key={id}>
        <span>
          {quantity} × {name ?? 'A thing'}
          {options?.map((option) => (
            <span className="option" key={option.id}>
              {option.name}: {option.value}
            </span>
          ))}
        </span>
        <span className="row-price">
          {typeof unitPrice === 'number' && moneyText(unitPrice * quantity, currency ?? 'USD')}
        </span>
      </li>
    ))}
  </ul>
)
