import { Link } from '@payloadcms/ui'
import { Fragment } from 'react'
import type { Failure } from '../../../marketing/delivery/failures.js'
import { klaviyoErrorText } from '../../../marketing/klaviyo/klaviyo-error-text.js'
import type { Words } from '../words.js'
import { ResendReason } from './resend-reason.js'
import { resendWarning } from './resend-warning.js'
import { Moment, RowsTable } from './section.js'

interface FailureTableProps {
  /** Unique on the page. */
  name: string
  failures: readonly Failure[]
  failedUrl: string
  /** The list of sends. With it, each reason has its moments and an example. */
  sendsUrl?: string
  /** Only sends that were accepted since, as an ISO text. */
  since?: string | undefined
  words: Words
}

/** The failed sends by reason, each with a button that resends them. */
export function FailureTable(props: FailureTableProps) {
  const { name, failures, failedUrl, sendsUrl, since, words } = props
  const { translate, number } = words
  const listed =
    since === undefined ? '' : `&where[or][0][and][2][acceptedAt][greater_than_equal]=${since}`
  const momentsOf = ({ firstAt, newestAt }: Failure) => [
    <Moment at={firstAt} key="oldest" words={words} />,
    <Moment at={newestAt} key="newest" words={words} />,
  ]

  return (
    <RowsTable
      columns={{
        reason: translate('sendErrorDetail'),
        count: translate('overviewCount'),
        ...(sendsUrl !== undefined && {
          oldest: translate('failuresOldest'),
          newest: translate('failuresNewest'),
        }),
        actions: translate('overviewActions'),
      }}
      name={name}
      rows={failures.map((failure) => {
        const { reason, sample, count } = failure
        return {
          id: reason,
          cells: [
            <Fragment key="reason">
              {klaviyoErrorText(sample, translate)} <code>{reason || '–'}</code>
            </Fragment>,
            number(count),
            ...(sendsUrl === undefined ? [] : momentsOf(failure)),
            <div className="storeconnect-overview__row" key="actions">
              <ResendReason reason={reason} since={since} warning={resendWarning(failure, words)} />
              {sendsUrl !== undefined && (
                <Link
                  aria-label={translate('failuresSampleOf', { reason })}
                  href={`${sendsUrl}/${sample.id}`}
                >
                  {translate('failuresSample')}
                </Link>
              )}
              <Link
                aria-label={translate('overviewShowReason', { reason })}
                href={`${failedUrl}&${whereReason(failure)}${listed}`}
              >
                {translate('overviewShow')}
              </Link>
            </div>,
          ],
        }
      })}
    />
  )
}

/** The part of a list's query that finds the sends of a reason among the failed ones. */
function whereReason({ reason, isStored }: Failure): string {
  const and = 'where[or][0][and][1]'
  if (isStored) return `${and}[reason][equals]=${encodeURIComponent(reason)}`
  return reason === ''
    ? `${and}[error.code][exists]=false`
    : `${and}[error.code][equals]=${encodeURIComponent(reason)}`
}
