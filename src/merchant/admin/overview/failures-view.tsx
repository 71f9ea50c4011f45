import { Link } from '@payloadcms/ui'
import type { AdminViewServerProps, PayloadRequest } from 'payload'
import type { Failure } from '../../../marketing/delivery/failures.js'
import { failuresPath } from '../../../marketing/delivery/failures-path.js'
import { sendsSlug } from '../../../marketing/delivery/send-table.js'
import { partsOf } from '../../../core/installation.js'
import type { IsAdmin } from '../../../core/payload/admin-access.js'
import type { TranslationKey } from '../../../core/payload/label.js'
import { adminUrl } from '../admin-urls.js'
import { createWords, type Words } from '../words.js'
import { FailureReason } from './failure-reason.js'
import { FocusKeeper } from './focus-keeper.js'
import { placeUrls } from './place-urls.js'
import { PageFrame } from './page-frame.js'
import { ResendReason } from './resend-reason.js'
import { resendWarning } from './resend-warning.js'
import { RowsTable } from './rows-table.js'
import { Moment, Section } from './section.js'
import { whereReason } from './where-reason.js'

const hourMs = 3_600_000

/** The periods that a merchant can choose, by their name in the URL. */
const periods: readonly { name?: string; text: TranslationKey; ms?: number }[] = [
  { text: 'failuresAll' },
  { name: 'hour', text: 'failuresHour', ms: hourMs },
  { name: 'day', text: 'failuresDay', ms: 24 * hourMs },
  { name: 'week', text: 'failuresWeek', ms: 7 * 24 * hourMs },
]

interface FailuresViewProps extends AdminViewServerProps {
  isAdmin: IsAdmin
  /** The time zone of the shop. */
  timezone: string
}

/** The failed sends by reason, with an example of each and a button that resends them. */
export function FailuresView(props: FailuresViewProps) {
  const { initPageResult, isAdmin, searchParams, timezone } = props
  const { req } = initPageResult
  const words = createWords(req.i18n, timezone)
  const { translate } = words
  const sends = adminUrl(req.payload.config, `/collections/${sendsSlug}`)
  return (
    <PageFrame
      above={[{ label: translate('sends'), url: sends }]}
      heading={translate('failuresHeading')}
      intro={<p>{translate('failuresIntro')}</p>}
      {...{ isAdmin, req, words }}
    >
      <FailuresPage chosen={searchParams?.since} {...{ req, words }} />
    </PageFrame>
  )
}

interface FailuresPageProps {
  req: PayloadRequest
  words: Words
  /** The name of the period. */
  chosen: unknown
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
            <FailureTable {...{ found, req, since, words }} />
          )}
        </FocusKeeper>
      </Section>
    </>
  )
}

interface FailureTableProps {
  found: readonly Failure[]
  req: PayloadRequest
  since: Date | undefined
  words: Words
}

function FailureTable({ found, req: { payload }, since, words }: FailureTableProps) {
  const { translate, number } = words
  const sends = adminUrl(payload.config, `/collections/${sendsSlug}`)
  const failed = placeUrls(payload)['failed-sends']
  const at = since?.toISOString()
  const listed =
    at === undefined ? '' : `&where[or][0][and][2][acceptedAt][greater_than_equal]=${at}`
  const columns: [string, TranslationKey][] = [
    ['reason', 'sendErrorDetail'],
    ['count', 'overviewCount'],
    ['oldest', 'failuresOldest'],
    ['newest', 'failuresNewest'],
    ['actions', 'overviewActions'],
  ]

  return (
    <RowsTable
      columns={columns.map(([name, heading]) => ({ name, heading: translate(heading) }))}
      name="failures"
      rows={found.map((failure) => {
        const { reason, isStored, count, firstAt, newestAt, sample } = failure
        const cells = [
          <FailureReason key="reason" {...{ failure, words }} />,
          number(count),
          <Moment at={firstAt} key="oldest" words={words} />,
          <Moment at={newestAt} key="newest" words={words} />,
          <div className="storeconnect-overview__row" key="actions">
            <ResendReason reason={reason} since={at} warning={resendWarning(failure, words)} />
            <Link
              aria-label={translate('failuresSampleOf', { reason })}
              href={`${sends}/${sample.id}`}
            >
              {translate('failuresSample')}
            </Link>
            <Link
              aria-label={translate('overviewShowReason', { reason })}
              href={`${failed}&${whereReason({ reason, isStored })}${listed}`}
            >
              {translate('overviewShow')}
            </Link>
          </div>,
        ]
        return { id: reason, cells }
      })}
    />
  )
}
