import { Link } from '@payloadcms/ui'
import type { AdminViewServerProps, PayloadRequest } from 'payload'
import { failuresPath } from '../../../marketing/admin-paths.js'
import { sendsSlug } from '../../../marketing/delivery/send-table.js'
import { partsOf } from '../../../core/installation.js'
import type { AdminPageProps } from '../../overview/overview-global.js'
import type { TranslationKey } from '../../../core/payload/label.js'
import { adminUrl } from '../admin-urls.js'
import { createWords, type Words } from '../words.js'
import { FailureTable } from './failure-table.js'
import { FocusKeeper } from './focus-keeper.js'
import { placeUrls } from './place-urls.js'
import { PageFrame } from './page-frame.js'
import { Section } from './section.js'

const hourMs = 3_600_000

/** The periods that a merchant can choose, by their name in the URL. */
const periods: readonly { name?: string; text: TranslationKey; ms?: number }[] = [
  { text: 'failuresAll' },
  { name: 'hour', text: 'failuresHour', ms: hourMs },
  { name: 'day', text: 'failuresDay', ms: 24 * hourMs },
  { name: 'week', text: 'failuresWeek', ms: 7 * 24 * hourMs },
]

/** The failed sends by reason, with an example of each and a button that resends them. */
export function FailuresView(props: AdminViewServerProps & AdminPageProps) {
  const { initPageResult, isAdmin, searchParams, timezone } = props
  const { req } = initPageResult
  const words = createWords(req.i18n, timezone)
  const { translate } = words
  const sends = adminUrl(req.payload.config, `/collections/${sendsSlug}`)
  return (
    <PageFrame
      heading={translate('failuresHeading')}
      name={translate('overviewFailed')}
      intro={
        <p>
          {translate('failuresIntro')} <Link href={sends}>{translate('sends')}</Link>
        </p>
      }
      {...{ isAdmin, req, words }}
    >
      <FailuresPage chosen={searchParams?.since} {...{ req, words }} />
    </PageFrame>
  )
}

interface FailuresPageProps {
  req: PayloadRequest
  chosen: unknown
  words: Words
}

async function FailuresPage({ req, words, chosen }: FailuresPageProps) {
  const { translate } = words
  const { failures } = await partsOf(req.payload)
  const period = periods.find(({ name }) => name === chosen) ?? periods[0]
  const since = period?.ms === undefined ? undefined : new Date(Date.now() - period.ms)
  const found = (await failures?.read(since)) ?? []
  const url = adminUrl(req.payload.config, failuresPath)

  return (
    <>
      <nav aria-label={translate('failuresSince')} className="storeconnect-overview__row">
        {translate('failuresSince')}:
        {periods.map(({ name, text }) => (
          <Link
            aria-current={name === period?.name ? 'page' : undefined}
            href={name === undefined ? url : `${url}?since=${name}`}
            key={text}
          >
            {translate(text)}
          </Link>
        ))}
      </nav>
      <Section heading={translate('overviewFailed')}>
        <FocusKeeper label={translate('overviewFailed')}>
          {found.length === 0 ? (
            <p>{translate('failuresNone')}</p>
          ) : (
            <FailureTable
              failedUrl={placeUrls(req.payload)['failed-sends']}
              failures={found}
              name="failures"
              sendsUrl={adminUrl(req.payload.config, `/collections/${sendsSlug}`)}
              since={since?.toISOString()}
              words={words}
            />
          )}
        </FocusKeeper>
      </Section>
    </>
  )
}
