import config from '@payload-config'
import { notFound } from 'next/navigation'
import { getPayload } from 'payload'

interface Props {
  params: Promise<{ slug?: string }>
}

export async function generateStaticParams() {
  const payload = await getPayload({ config })
  const { docs } = await payload.find({
    collection: 'pages',
    where: { slug: { not_equals: 'home' } },
  })
  return docs.map(({ slug }) => ({ slug }))
}

export default async function Page({ params }: Props) {
  const { slug = 'home' } = await params
  const payload = await getPayload({ config })
  const { docs } = await payload.find({
    collection: 'pages',
    limit: 1,
    overrideAccess: false,
    where: { slug: { equals: slug } },
  })
  const [page] = docs
  if (!page) notFound()
  return (
    <article>
      <h1>{page.title}</h1>
      {page.layout?.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </article>
  )
}
