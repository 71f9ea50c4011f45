import { Link } from '@payloadcms/ui'
import { createLocalReq, type BasePayload, type ServerProps } from 'payload'
import { createOnce } from '../../../core/database/cached-value.js'
import { partsOf } from '../../../core/installation.js'
import { overviewSlug, type AdminPageProps } from '../../overview/overview-global.js'
import { adminUrl } from '../admin-urls.js'
import { createWords, type Words } from '../words.js'
import { placeUrls } from './place-urls.js'
import { Frame } from './page-frame.js'
import { Section } from './section.js'
import { StateSummary } from './state-summary.js'

/** The states of both integrations on the dashboard, for users who may see the overview. */
export async function DashboardCard(props: ServerProps & AdminPageProps) {
  const { i18n, isAdmin, payload, timezone, user } = props
  if (!user || !(await isAdmin({ req: await createLocalReq({ user }, payload) }))) return null
  const words = createWords(i18n, timezone)
  return (
    <Frame isCard payload={payload} words={words}>
      <Summary payload={payload} words={words} />
    </Frame>
  )
}

async function Summary({ payload, words }: { payload: BasePayload; words: Words }) {
  const { alerts, overview } = await partsOf(payload)
  const once = createOnce()
  const facts = await overview.facts(once)
  const { states } = await alerts.matters(once)
  return (
    <Section heading={words.translate('overviewPlatforms')} isCard>
      <StateSummary urls={placeUrls(payload)} {...{ facts, states, words }} />
      <p>
        <Link href={adminUrl(payload.config, `/globals/${overviewSlug}`)}>
          {words.translate('overviewOpen')}
        </Link>
      </p>
    </Section>
  )
}
