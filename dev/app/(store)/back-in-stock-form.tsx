import type { Product } from '../../payload-types.ts'
import { CsrfInput, FormGuardInput, RedirectInput } from '../../storeconnect.ts'
import { siteLinks } from './site-links.ts'
import { VisitorEmail } from './visitor-email.tsx'

/** Has Klaviyo write to who waits for a product. Whoever is logged in is known. */
export async function BackInStockForm({ product }: { product: Product }) {
  const link = await siteLinks()
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
        <VisitorEmail id={`back-in-stock-${product.id}`} />
        <button type="submit">Tell me when it is back</button>
      </form>
    </div>
  )
}

/** A product with variants has its stock in these. */
export const isSoldOut = ({ enableVariants, inventory }: Product): boolean =>
  !enableVariants && inventory === 0
