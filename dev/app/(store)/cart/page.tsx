import config from '@payload-config'
import { getPayload } from 'payload'
import { moneyText } from '../../../money-text.ts'
import type { Product, Variant } from '../../../payload-types.ts'
import { CsrfInput, readCart } from '../../../storeconnect.ts'

const action = '/actions/commerce/cart/update-cart'

type Cart = NonNullable<Awaited<ReturnType<typeof readCart>>>
type Line = Cart['lines'][number]

export default async function CartPage() {
  const cart = await readCart()
  if (!cart || cart.lines.length === 0) {
    return (
      <section className="page">
        <h1>Your cart</h1>
        <p>
          It is empty. <a href="/">Have a look around.</a>
        </p>
      </section>
    )
  }
  const names = await namesOf(cart.lines)
  return (
    <section className="page">
      <h1>Your cart</h1>
      <form action={action} method="post">
        <CsrfInput />
        <ul className="cart-lines">
          {cart.lines.map((line) => (
            <CartRow key={line.id} line={line} name={names.get(line.id) ?? 'A thing'} />
          ))}
        </ul>
        <p className="subtotal">
          Subtotal <strong>{moneyText(cart.subtotal, cart.currency)}</strong>
        </p>
        <div className="buttons">
          <button type="submit">Update the cart</button>
          <button className="quiet" name="clearLineItems" type="submit" value="1">
            Empty the cart
          </button>
        </div>
      </form>
    </section>
  )
}

const CartRow = ({ line: { id, quantity }, name }: { line: Line; name: string }) => (
  <li>
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

/** What the lines are called, by their ids. */
async function namesOf(lines: readonly Line[]): Promise<Map<string | undefined, string>> {
  const payload = await getPayload({ config })
  const variantIds = lines.flatMap(({ variantId }) => variantId ?? [])
  const [products, variants] = await Promise.all([
    payload.find({
      collection: 'products',
      where: { id: { in: lines.map(({ productId }) => productId) } },
      depth: 0,
      pagination: false,
      select: { title: true },
    }),
    payload.find({
      collection: 'variants',
      where: { id: { in: variantIds } },
      depth: 0,
      pagination: false,
      select: { title: true },
    }),
  ])
  const titles = (docs: Pick<Product | Variant, 'id' | 'title'>[]) =>
    new Map(docs.map(({ id, title }) => [id as number | string | undefined, title]))
  const [productTitles, variantTitles] = [titles(products.docs), titles(variants.docs)]
  return new Map(
    lines.map(({ id, productId, variantId }) => [
      id,
      variantTitles.get(variantId) ?? productTitles.get(productId) ?? 'No longer sold',
    ]),
  )
}
