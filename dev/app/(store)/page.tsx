import config from '@payload-config'
import { getPayload } from 'payload'
import { ProductCard } from './product-card.tsx'
import './styles/products.css'

export default async function ShopPage() {
  const payload = await getPayload({ config })
  const { docs: products } = await payload.find({
    collection: 'products',
    depth: 1,
    limit: 48,
    overrideAccess: false,
    pagination: false,
    sort: 'createdAt',
  })
  return (
    <>
      <section className="hero">
        <h1>Tea, and what one writes letters with</h1>
        <p>A small shop for slow afternoons.</p>
      </section>
      <ul className="products" id="products">
        {products.map((product, index) => (
          <ProductCard isAtTheTop={index < 4} key={product.id} product={product} />
        ))}
      </ul>
    </>
  )
}
