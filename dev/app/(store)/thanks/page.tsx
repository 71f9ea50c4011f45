import type { Metadata } from 'next'
import { siteLinks } from '../site-links.ts'

export const metadata: Metadata = { title: 'Thank you' }

/** By what somebody has asked for. */
const texts: Readonly<Record<string, string>> = {
  product: 'We write as soon as there is news.',
  stock: 'We write as soon as it is back.',
}

interface ThanksProps {
  searchParams: Promise<{ for?: string | string[] }>
}

export default async function ThanksPage({ searchParams }: ThanksProps) {
  const link = await siteLinks()
  const asked = String((await searchParams).for)
  return (
    <section className="page">
      <h1>Thank you</h1>
      <p>
        {texts[asked] ??
          'A letter is on its way to you. Please confirm your address with the link in it.'}
      </p>
      <p>
        <a href={link('/')}>Back to the shop</a>
      </p>
    </section>
  )
}
