import config from '@payload-config'
import { headers } from 'next/headers'
import { getPayload } from 'payload'
import { shippingCommands } from '../../shipping-commands.ts'
import { waitingOrderReference } from '../../waiting-order.ts'
import { ProductCard } from './product-card.tsx'
import { TryIt } from './try-it.tsx'

export default async function StorePage() {
  const payload = await getPayload({ config })
  const { docs: products } = await payload.find({
    collection: 'products',
    depth: 1,
    limit: 48,
    overrideAccess: false,
    pagination: false,
    sort: 'createdAt',
  })
  const commands = shippingCommands({
    origin: `http://${(await headers()).get('host') ?? '127.0.0.1:3000'}`,
    password: process.env.SHIPSTATION_PASSWORD,
    reference: await waitingOrderReference(payload),
  })
  return (
    <>
      <section className="hero">
        <h1>Tea, and what one writes letters with</h1>
        <p>A demo store on Payload, connected to the shipping desk by Storeconnect.</p>
      </section>
      <ul className="products" id="products">
        {products.map((product) => (
          <ProductCard key={product.id} product={product} />
        ))}
      </ul>
      <TryIt commands={commands} />
    </>
  )
}
