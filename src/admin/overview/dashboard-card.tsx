import { Link } from '@payloadcms/ui'
import { createLocalReq, type ServerProps } from 'payload'
import { installedIn } from '../../installation.js'
import type { IsAdmin } from '../../store/payload/admin-access.js'
import { overviewSlug } from '../../store/payload/overview/overview-global.js'
import { adminUrl } from '../admin-urls.js'
import { overviewStyle } from './overview-style.js'
import { placeUrls } from './place-urls.js'
import { marketingState, shippingState } from './platform-state.js'
import { Section } from './section.js'
import { SelfRefresh } from './self-refresh.js'
import { StateSummary } from './state-summary.js'
import { createWords } from './words.js'

interface DashboardCardProps extends ServerProps {
  isAdmin: IsAdmin
  /** Of the shop. */
  timezone: string
}

/** Both states on the admin's first page, for those who may see the overview. */
export async function DashboardCard({
  i18n,
  isAdmin,
  payload,
  timezone,
  user,
}: DashboardCardProps) {
  if (!user || !(await isAdmin({ req: await createLocalReq({ user }, payload) }))) return null
  const parts = installedIn(payload)
  if (parts === undefined) return null
  const facts = await parts.overview.facts()
  const words = createWords(i18n, timezone)
  const now = new Date()
  const overviewUrl = adminUrl(payload.config, `/globals/${overviewSlug}`)
  return (
    <div className="storeconnect-overview storeconnect-overview--card">
      <style href="storeconnect-overview" precedence="medium">
        {overviewStyle}
      </style>
      <SelfRefresh />
      <Section heading="ShipStation and Klaviyo" isCard>
        <StateSummary
          states={[
            { name: 'ShipStation', state: shippingState(facts.shipping, now) },
            { name: 'Klaviyo', state: marketingState(facts.marketing, now) },
          ]}
          urls={placeUrls(payload)}
          {...{ facts, words }}
        />
        <p>
          <Link href={overviewUrl}>{words.translate('overviewOpen')}</Link>
        </p>
      </Section>
    </div>
  )
}
