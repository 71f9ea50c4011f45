import config from '@payload-config'
import Link from 'next/link'
import { getPayload } from 'payload'

interface Props {
  searchParams: Promise<{ sort?: string }>
}

export default async function ShopPage({ searchParams }: Props) {
  const { sort = 'title' } = await searchParams
  const payload = await getPayload({ config })
  const { docs } = await payload.find({ collection: 'products', overrideAccess: false, sort })
  return (
    <ul>
      {docs.map(({ id, slug, title }) => (
        <li key={id}>
          <Link href={`/products/${slug}`}>{title}</Link>
        </li>
      ))}
    </ul>
  )
}
