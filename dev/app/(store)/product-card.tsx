import { moneyText } from '../../money-text.ts'
import type { Product } from '../../payload-types.ts'
import { BuyForm } from './buy-form.tsx'
import { NotifyForm } from './notify-form.tsx'

export function ProductCard({ product }: { product: Product }) {
  const picture = typeof product.image === 'object' ? product.image : undefined
  const variants = product.variants?.docs?.length ?? 0
  return (
    <li className="product">
      {picture?.url && (
        <img alt={picture.alt ?? ''} height={480} loading="lazy" src={picture.url} width={480} />
      )}
      <div className="product-text">
        <h2>{product.title}</h2>
        <p className="description">{product.description}</p>
        <p className="price">
          {variants > 1 && <span className="from">from </span>}
          {moneyText(product.priceInUSD ?? 0, 'USD')}
        </p>
        <ul aria-label="Prices in other currencies" className="prices">
          <li>{moneyText(product.priceInEUR ?? 0, 'EUR')}</li>
          <li>{moneyText(product.priceInJPY ?? 0, 'JPY')}</li>
          <li>{moneyText(product.priceInKWD ?? 0, 'KWD')}</li>
        </ul>
        <p className="choices">{variants > 1 ? `${variants} kinds` : 'One kind'}</p>
        <BuyForm product={product} />
        <NotifyForm product={product} />
      </div>
    </li>
  )
}
