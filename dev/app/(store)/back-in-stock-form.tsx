import type { Product } from '../../payload-types.ts'
import { CsrfInput, FormGuardInput, readVisitor, RedirectInput } from '../../storeconnect.ts'
import { siteLinks } from './site-links.ts'

/** Has Klaviyo write to who waits for a product. Whoever is logged in is known. */
export async function BackInStockForm({ product }: { product: Product }) {
  const [visitor, link] = await Promise.all([readVisitor(), siteLinks()])
  const id = `back-in-stock-${product.id}`
  return (
    <div className="notify">
      <p>Sold out.</p>
      <form
        action={link('/actions/marketingconnect/api/track')}
        aria-label={`Wait for ${product.title}`}
        method="post"
      >
        <CsrfInput />
        <RedirectInput url={link('/thanks?for=stock')} />
        <FormGuardInput />
        <input name="backInStock[productId]" type="hidden" value={product.id} />
        {visitor ? (
          <p>We write to {(await visitor.profile()).email}.</p>
        ) : (
          <>
            <label htmlFor={id}>Email</label>
            <input
              autoComplete="email"
              id={id}
              maxLength={254}
              name="email"
              required
              type="email"
            />
          </>
        )}
        <button type="submit">Tell me when it is back</button>
      </form>
    </div>
  )
}

/** A product with variants has its stock in these. */
export const isSoldOut = ({ enableVariants, inventory }: Product): boolean =>
  !enableVariants && inventory === 0
