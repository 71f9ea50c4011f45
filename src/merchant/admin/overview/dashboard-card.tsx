import { Link } from '@payloadcms/ui'
import { createLocalReq, type BasePayload, type ServerProps } from 'payload'
import { partsOf } from '../../../core/installation.js'
import {
  overviewSlug,
  type OverviewProps,
  type OverviewSlugs,
} from '../../overview/overview-global.js'
import { adminUrl } from '../admin-urls.js'
import { createWords, type Words } from '../words.js'
import { OpenMatters } from './open-matters.js'
import { Frame } from './page-frame.js'
import { StatePill } from './state-pill.js'

/** What is to do and the states of both integrations on the dashboard, for users who may see the overview. */
export async function DashboardCard(props: ServerProps & OverviewProps) {
  const { i18n, isAdmin, ordersSlug, payload, paymentsSlug, timezone, user } = props
  if (!user || !(await isAdmin({ req: await createLocalReq({ user }, payload) }))) return null
  const words = createWords(i18n, timezone)
  return (
    <Frame isCard payload={payload} words={words}>
      <Summary {...{ ordersSlug, payload, paymentsSlug, words }} />
    </Frame>
  )
}

interface SummaryProps extends Pick<OverviewSlugs, 'ordersSlug' | 'paymentsSlug'> {
  payload: BasePayload
  words: Words
}

async function Summary({ ordersSlug, payload, paymentsSlug, words }: SummaryProps) {
  const { config } = payload
  const { alerts } = await partsOf(payload)
  const { open, states } = await alerts.matters()
  const { failures } = await alerts.state()
  return (
    <OpenMatters
      isCard
      ordersUrl={adminUrl(config, `/collections/${ordersSlug}`)}
      paymentsUrl={adminUrl(config, `/collections/${paymentsSlug}`)}
      {...{ config, failures, open, words }}
    >
      {/* No paragraph: Payload's pill is a `div`. */}
      <div className="storeconnect-overview__row">
        {Object.entries(states).map(([platform, is]) => (
          <StatePill key={platform} {...{ is, platform, words }} />
        ))}
        <Link href={adminUrl(config, `/globals/${overviewSlug}`)}>
          {words.translate('overviewOpen')}
        </Link>
      </div>
    </OpenMatters>
  )
}
