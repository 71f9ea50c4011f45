import config from '@payload-config'
import { notFound } from 'next/navigation'
import { getPayload } from 'payload'
import { AddToCart } from '@/components/Cart'

export default async function ProductPage({ params }: { params: Promise<{ slug: string }> }) {
  const { slug } = await params
  const payload = await getPayload({ config })
  const { docs } = await payload.find({
    collection: 'products',
    limit: 1,
    overrideAccess: false,
    where: { slug: { equals: slug } },
  })
  const [product] = docs
  if (!product) notFound()
  return (
    <article>
      <h1>{product.title}</h1>
      <AddToCart product={product.id} />
    </article>
  )
}
