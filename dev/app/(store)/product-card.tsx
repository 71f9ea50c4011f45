import type { Product } from '../../payload-types.ts'
import { isSoldOut } from './back-in-stock-form.tsx'
import { BuyForm } from './buy-form.tsx'
import { Picture } from './picture.tsx'
import { Price } from './price.tsx'
import { siteLinks } from './site-links.ts'

interface ProductCardProps {
  product: Product
  /** Its picture is seen at once. */
  isAtTheTop: boolean
}

export async function ProductCard({ isAtTheTop, product }: ProductCardProps) {
  const link = await siteLinks()
  const kinds = product.variants?.docs?.length ?? 0
  return (
    <li className="product">
      <Picture image={product.image} isAtTheTop={isAtTheTop} size={480} />
      <div className="product-text">
        <h2>
          <a href={link(`/products/${product.slug}`)}>{product.title}</a>
        </h2>
        <p className="description">{product.description}</p>
        <Price product={product} />
        <p className="choices">{kinds > 1 ? `${kinds} kinds` : 'One kind'}</p>
        {isSoldOut(product) ? <p className="choices">Sold out</p> : <BuyForm product={product} />}
      </div>
    </li>
  )
}
