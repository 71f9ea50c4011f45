import { moneyText } from '../../money-text.ts'
import type { Product, Variant } from '../../payload-types.ts'
import { CsrfInput } from '../../storeconnect.ts'
import { siteLinks } from './site-links.ts'

/** Adds a product, or one kind of it, to the cart, and comes back to the page. */
export async function BuyForm({ product }: { product: Product }) {
  const link = await siteLinks()
  const variants = variantsOf(product)
  const id = `kind-${product.id}`
  return (
    <form action={link('/actions/commerce/cart/update-cart')} className="buy" method="post">
      <CsrfInput />
      {product.enableVariants ? (
        <>
          <label className="unseen" htmlFor={id}>
            Kind of {product.title}
          </label>
          <select id={id} name="variantId">
            {variants.map((variant) => (
              <option key={variant.id} value={variant.id}>
                {kindName(variant, product)} · {moneyText(variant.priceInUSD ?? 0, 'USD')}
              </option>
            ))}
          </select>
        </>
      ) : (
        <input name="productId" type="hidden" value={product.id} />
      )}
      <button aria-label={`Add ${product.title} to the cart`} type="submit">
        Add to cart
      </button>
    </form>
  )
}

const variantsOf = ({ variants }: Product): Variant[] =>
  (variants?.docs ?? [])
    .filter((variant) => typeof variant === 'object')
    .sort((one, other) => one.id - other.id)

/** The extension calls a variant `Product — Kind`. */
const kindName = ({ id, title }: Variant, product: Product) =>
  title?.replace(`${product.title} — `, '') ?? `No. ${id}`
