import { moneyText } from '../../../money-text.ts'
import type { Cart, CartThing } from '../cart-things.ts'
import { Picture } from '../picture.tsx'

/** What is about to be bought. */
export const Summary = ({ cart, things }: { cart: Cart; things: CartThing[] }) => (
  <aside aria-labelledby="summary" className="summary">
    <h2 id="summary">What you buy</h2>
    <ul>
      {cart.lines.map(({ id, quantity }, index) => {
        const thing = things[index]
        return (
          <li key={id}>
            <Picture image={thing?.image} isDecoration size={56} />
            <span>
              {quantity} × {thing?.name}
            </span>
            <span className="row-price">
              {thing?.price !== undefined && moneyText(thing.price * quantity, cart.currency)}
            </span>
          </li>
        )
      })}
    </ul>
    <p className="subtotal">
      Total <strong>{moneyText(cart.subtotal, cart.currency)}</strong>
    </p>
    <p className="hint">Shipping is on the house. No money is taken: this is a demo.</p>
  </aside>
)
