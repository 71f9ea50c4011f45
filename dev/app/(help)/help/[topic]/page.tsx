import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'

interface Topic {
  title: string
  text: string
}

const topics: Readonly<Record<string, Topic>> = {
  delivery: {
    title: 'Delivery',
    text: 'We would send tea within two days, if any of it were for sale.',
  },
  returns: {
    title: 'Returns',
    text: 'What nobody bought, nobody needs to send back.',
  },
}

interface Props {
  params: Promise<{ topic: string }>
}

export const generateStaticParams = () => Object.keys(topics).map((topic) => ({ topic }))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await findTopic(params))?.title ?? 'Not found' }
}

export default async function HelpPage({ params }: Props) {
  const topic = await findTopic(params)
  if (topic === undefined) notFound()
  return (
    <section className="page">
      <h1>{topic.title}</h1>
      <p>{topic.text}</p>
      <ul>
        {Object.entries(topics).map(([name, { title }]) => (
          <li key={name}>
            <Link href={`/help/${name}`}>{title}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

async function findTopic(params: Props['params']): Promise<Topic | undefined> {
  const { topic } = await params
  return Object.hasOwn(topics, topic) ? topics[topic] : undefined
}
