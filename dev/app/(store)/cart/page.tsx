import type { Metadata } from 'next'
import { moneyText } from '../../../money-text.ts'
import { CsrfInput, readCart } from '../../../storeconnect.ts'
import { cartThings } from '../cart-things.ts'
import { siteLinks } from '../site-links.ts'
import { CartRow } from './cart-row.tsx'
import { FormerCart } from './former-cart.tsx'
import '../styles/cart.css'

export const metadata: Metadata = { title: 'Your cart' }

export default async function CartPage() {
  const [cart, link] = await Promise.all([readCart(), siteLinks()])
  if (!cart || cart.lines.length === 0) {
    return (
      <section className="page">
        <h1>Your cart</h1>
        <FormerCart />
        <p>
          It is empty. <a href={link('/')}>Have a look around.</a>
        </p>
      </section>
    )
  }
  const things = await cartThings(cart)
  return (
    <section className="page">
      <h1>Your cart</h1>
      <FormerCart />
      <form action={link('/actions/commerce/cart/update-cart')} method="post">
        <CsrfInput />
        <ul className="cart-lines">
          {cart.lines.map((line, index) => (
            <CartRow
              currency={cart.currency}
              key={line.id}
              line={line}
              link={link}
              thing={things[index]}
            />
          ))}
        </ul>
        <p className="subtotal">
          Subtotal <strong>{moneyText(cart.subtotal, cart.currency)}</strong>
        </p>
        <div className="buttons">
          <button className="quiet" name="clearLineItems" type="submit" value="1">
            Empty the cart
          </button>
          <button className="second" type="submit">
            Update the cart
          </button>
          <a className="button" href={link('/checkout')}>
            To the checkout
          </a>
        </div>
      </form>
    </section>
  )
}
