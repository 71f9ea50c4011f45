import type { Product } from '../../payload-types.ts'
import { CsrfInput, FormGuardInput, RedirectInput } from '../../storeconnect.ts'
import { siteLinks } from './site-links.ts'
import { VisitorEmail } from './visitor-email.tsx'

/** Tells Klaviyo who wants news of a product. Whoever is logged in is known. */
export async function NotifyForm({ product }: { product: Product }) {
  const link = await siteLinks()
  return (
    <details className="notify">
      <summary>Notify me of news</summary>
      <form action={link('/actions/marketingconnect/api/track')} method="post">
        <CsrfInput />
        <RedirectInput url={link('/thanks?for=product')} />
        <FormGuardInput />
        <input name="event[name]" type="hidden" value="Asked For News" />
        <input name="event[ProductName]" type="hidden" value={product.title} />
        <input name="event[SKU]" type="hidden" value={product.sku ?? ''} />
        {product.newsLists?.map((list) => (
          <input key={list} name="lists[]" type="hidden" value={list} />
        ))}
        <VisitorEmail id={`notify-${product.id}`} />
        <button aria-label={`Notify me of news of ${product.title}`} type="submit">
          Notify me
        </button>
      </form>
    </details>
  )
}
