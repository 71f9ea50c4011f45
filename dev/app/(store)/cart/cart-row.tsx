import { moneyText } from '../../../money-text.ts'
import type { CartLine, CartThing } from '../cart-things.ts'
import { Picture } from '../picture.tsx'

interface CartRowProps {
  line: CartLine
  thing: CartThing | undefined
  currency: string
  link: (path: string) => string
}

/** One thing in the cart, with how many of it. */
export function CartRow({ currency, line: { id, quantity }, link, thing }: CartRowProps) {
  const name = thing?.name ?? 'A thing'
  return (
    <li>
      {/* Nothing that the label does not say: not for keyboards, nor read out. */}
      <a
        aria-hidden="true"
        className="thumbnail"
        href={link(thing?.slug ? `/products/${thing.slug}` : '/')}
        tabIndex={-1}
      >
        <Picture image={thing?.image} isDecoration size={72} />
      </a>
      <label htmlFor={`qty-${id}`}>{name}</label>
      <input
        defaultValue={quantity}
        id={`qty-${id}`}
        inputMode="numeric"
        max={9999}
        min={0}
        name={`lineItems[${id}][qty]`}
        type="number"
      />
      <span className="row-price">
        {thing?.price !== undefined && moneyText(thing.price * quantity, currency)}
      </span>
      <button
        aria-label={`Remove ${name}`}
        className="quiet"
        name={`lineItems[${id}][remove]`}
        type="submit"
        value="1"
      >
        Remove
      </button>
    </li>
  )
}
