import { Link } from '@payloadcms/ui'
import { createLocalReq, type ServerProps } from 'payload'
import { Notice } from '../notice.js'
import { partsOf, unsupportedAdapterOf } from '../../installation.js'
import type { IsAdmin } from '../../payload/admin-access.js'
import { overviewSlug } from '../../overview/overview-global.js'
import { adminUrl } from '../admin-urls.js'
import { createWords } from '../words.js'
import { overviewStyle } from './overview-style.js'
import { marketingState, placeUrls, shippingState } from './integration-state.js'
import { Section } from './section.js'
import { SelfRefresh } from './self-refresh.js'
import { StateSummary } from './state-summary.js'

interface DashboardCardProps extends ServerProps {
  isAdmin: IsAdmin
  /** The time zone of the shop. */
  timezone: string
}

/**
 * The states of both integrations on the dashboard, for users who may see the overview. On a database that
 * Storeconnect does not support, it says so.
 */
export async function DashboardCard(props: DashboardCardProps) {
  const { i18n, isAdmin, payload, timezone, user } = props
  if (!user || !(await isAdmin({ req: await createLocalReq({ user }, payload) }))) return null
  const words = createWords(i18n, timezone)
  const adapter = unsupportedAdapterOf(payload)
  if (adapter !== undefined) {
    return <Notice type="error">{words.translate('errorDatabase', { adapter })}</Notice>
  }
  const facts = await partsOf(payload).overview.facts()
  const now = new Date()
  const states = {
    ShipStation: shippingState(facts.shipping, now),
    Klaviyo: marketingState(facts.marketing, now),
  }
  return (
    <div className="storeconnect-overview storeconnect-overview--card">
      <style href="storeconnect-overview" precedence="medium">
        {overviewStyle}
      </style>
      <SelfRefresh />
      <Section heading={words.translate('overviewPlatforms')} isCard>
        <StateSummary urls={placeUrls(payload)} {...{ facts, states, words }} />
        <p>
          <Link href={adminUrl(payload.config, `/globals/${overviewSlug}`)}>
            {words.translate('overviewOpen')}
          </Link>
        </p>
      </Section>
    </div>
  )
}
