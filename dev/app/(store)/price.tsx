import { moneyText } from '../../money-text.ts'
import type { Product } from '../../payload-types.ts'

/** What a product costs, or its cheapest kind. */
export const Price = ({ product }: { product: Product }) => (
  <p className="price">
    {(product.variants?.docs?.length ?? 0) > 1 && <span className="from">from </span>}
    {moneyText(product.priceInUSD ?? 0, 'USD')}
  </p>
)
