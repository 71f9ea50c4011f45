import config from '@payload-config'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getPayload } from 'payload'
import { ViewedProduct } from 'payload-storeconnect/react'
import { cache } from 'react'
import { moneyText } from '../../../../money-text.ts'
import type { Product } from '../../../../payload-types.ts'
import { readViewedProduct } from '../../../../storeconnect.ts'
import { BackInStockForm, isSoldOut } from '../../back-in-stock-form.tsx'
import { BuyForm } from '../../buy-form.tsx'
import { NotifyForm } from '../../notify-form.tsx'
import { Picture } from '../../picture.tsx'
import { Price } from '../../price.tsx'
import { siteLinks } from '../../site-links.ts'
import '../../styles/products.css'

interface ProductPageProps {
  params: Promise<{ slug: string }>
}

export async function generateMetadata({ params }: ProductPageProps): Promise<Metadata> {
  const product = await findProduct((await params).slug)
  return product ? { title: product.title, description: product.description ?? undefined } : {}
}

export default async function ProductPage({ params }: ProductPageProps) {
  const product = await findProduct((await params).slug)
  if (!product) notFound()
  const link = await siteLinks()
  return (
    <article className="product-page">
      <ViewedProduct event={await readViewedProduct(product.id)} />
      <Picture image={product.image} isAtTheTop size={640} />
      <div>
        <nav aria-label="Way back">
          <a href={link('/')}>All products</a>
        </nav>
        <h1>{product.title}</h1>
        <p className="lead">{product.description}</p>
        <Price product={product} />
        <OtherPrices product={product} />
        {isSoldOut(product) ? <BackInStockForm product={product} /> : <BuyForm product={product} />}
        <NotifyForm product={product} />
      </div>
    </article>
  )
}

const OtherPrices = ({ product }: { product: Product }) => (
  <ul aria-label="Prices in other currencies" className="prices">
    <li>{moneyText(product.priceInEUR ?? 0, 'EUR')}</li>
    <li>{moneyText(product.priceInJPY ?? 0, 'JPY')}</li>
    <li>{moneyText(product.priceInKWD ?? 0, 'KWD')}</li>
  </ul>
)

/** Once a page view: the title and the page both ask. */
const findProduct = cache(async (slug: string): Promise<Product | undefined> => {
  const payload = await getPayload({ config })
  const { docs } = await payload.find({
    collection: 'products',
    depth: 1,
    limit: 1,
    overrideAccess: false,
    pagination: false,
    where: { slug: { equals: slug } },
  })
  return docs[0]
})
