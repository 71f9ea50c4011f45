import config from '@payload-config'
import { headers } from 'next/headers'
import { getPayload } from 'payload'
import { readKlaviyoOnsite, readSite } from '../../storeconnect.ts'
import { NewsletterForm } from './newsletter-form.tsx'
import { PrivacyChoice } from './privacy-choice.tsx'
import { siteLinks } from './site-links.ts'

export async function Footer() {
  const link = await siteLinks()
  return (
    <footer className="footer">
      <NewsletterForm />
      <PrivacyChoice
        base={link('/').replace(/\/$/, '')}
        nonce={(await headers()).get('x-nonce') ?? undefined}
        script={await readKlaviyoOnsite()}
      />
      <SiteSwitch />
      <p>
        Nothing here is for sale; the pictures are drawn by code.{' '}
        <a href="/help/delivery">Delivery</a> · <a href="/help/returns">Returns</a>. For developers:{' '}
        <a href={link('/try-it')}>Try it</a> · <a href="/admin">Admin</a>
      </p>
    </footer>
  )
}

async function SiteSwitch() {
  const payload = await getPayload({ config })
  const [current, { docs: sites }] = await Promise.all([
    readSite(),
    payload.find({
      collection: 'sites',
      depth: 0,
      pagination: false,
      sort: 'createdAt',
      where: { enabled: { equals: true } },
    }),
  ])
  return (
    <nav aria-label="Sites" className="sites">
      <ul>
        {sites.map(({ baseUrl, id, name }) => (
          <li key={id}>
            <a aria-current={id === current?.id ? 'true' : undefined} href={baseUrl}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
