import { Gutter, Link, SetStepNav } from '@payloadcms/ui'
import type { AdminViewServerProps, PayloadRequest } from 'payload'
import { Fragment } from 'react'
import { Notice } from '../notice.js'
import type { Failure } from '../../delivery/failures.js'
import { failuresPath } from '../../delivery/failures-path.js'
import { sendsSlug } from '../../delivery/send-table.js'
import { partsOf, unsupportedAdapterOf } from '../../installation.js'
import { platformErrorText } from '../../klaviyo/platform-error-text.js'
import type { IsAdmin } from '../../payload/admin-access.js'
import type { TranslationKey } from '../../payload/label.js'
import { adminUrl } from '../admin-urls.js'
import { createWords, type Words } from '../words.js'
import { FocusKeeper } from './focus-keeper.js'
import { placeUrls } from './integration-state.js'
import { overviewStyle } from './overview-style.js'
import { ResendReason } from './resend-reason.js'
import { RowsTable } from './rows-table.js'
import { Moment, Section } from './section.js'
import { SelfRefresh } from './self-refresh.js'
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

/** The failed sends by reason, with an example of each and a button that resends them. For admins only. */
export async function FailuresView(props: FailuresViewProps) {
  const { initPageResult, isAdmin, searchParams, timezone } = props
  const { req } = initPageResult
  const words = createWords(req.i18n, timezone)
  const { translate } = words
  const { config } = req.payload
  const nav = [
    { label: translate('sends'), url: adminUrl(config, `/collections/${sendsSlug}`) },
    { label: translate('failuresHeading') },
  ]
  const adapter = unsupportedAdapterOf(req.payload)
  return (
    <>
      <SetStepNav nav={nav} />
      <Gutter>
        {!(await isAdmin({ req })) ? (
          <Notice type="error">{req.t('error:notAllowedToAccessPage')}</Notice>
        ) : adapter === undefined ? (
          <FailuresPage {...{ req, words }} chosen={searchParams?.since} />
        ) : (
          <Notice type="error">{translate('errorDatabase', { adapter })}</Notice>
        )}
      </Gutter>
    </>
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
  const { failures } = partsOf(req.payload)
  const period = periods.find(({ name }) => name === chosen) ?? periods[0]
  const since = period?.ms === undefined ? undefined : new Date(Date.now() - period.ms)
  const found = await failures.read(since)
  const url = adminUrl(req.payload.config, failuresPath)

  return (
    <div className="storeconnect-overview">
      <style href="storeconnect-overview" precedence="medium">
        {overviewStyle}
      </style>
      <SelfRefresh />
      <header>
        <h1>{translate('failuresHeading')}</h1>
        <p>{translate('failuresIntro')}</p>
        <p>{translate('overviewTimes', { timezone: words.timezone })}</p>
      </header>
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
    </div>
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
      rows={found.map(({ reason, isStored, count, firstAt, newestAt, sample }) => ({
        id: reason,
        cells: [
          <Fragment key="reason">
            {platformErrorText(sample, translate)} <code>{reason || '–'}</code>
          </Fragment>,
          number(count),
          <Moment at={firstAt} key="oldest" words={words} />,
          <Moment at={newestAt} key="newest" words={words} />,
          <div className="storeconnect-overview__row" key="actions">
            <ResendReason reason={reason} since={at} />
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
        ],
      }))}
    />
  )
}
