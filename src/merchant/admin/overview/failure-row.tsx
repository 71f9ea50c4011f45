import { Link } from '@payloadcms/ui'
import type { ReactNode } from 'react'
import type { Failure } from '../../../marketing/delivery/failures.js'
import { klaviyoErrorText } from '../../../marketing/klaviyo/klaviyo-error-text.js'
import type { Words } from '../words.js'
import { ResendReason } from './resend-reason.js'
import { resendWarning } from './resend-warning.js'

interface FailureProps {
  failure: Failure
  words: Words
}

export const FailureReason = ({ failure, words }: FailureProps) => (
  <>
    {klaviyoErrorText(failure.sample, words.translate)} <code>{failure.reason || '–'}</code>
  </>
)

interface FailureActionsProps extends FailureProps {
  /** Only sends that were accepted since, as an ISO text. */
  since?: string | undefined
  failedUrl: string
  children?: ReactNode
}

/** The button that resends what failed for one reason, and the link to it. */
export function FailureActions(props: FailureActionsProps) {
  const { failure, since, failedUrl, words, children } = props
  const { reason } = failure
  const listed =
    since === undefined ? '' : `&where[or][0][and][2][acceptedAt][greater_than_equal]=${since}`

  return (
    <div className="storeconnect-overview__row">
      <ResendReason reason={reason} since={since} warning={resendWarning(failure, words)} />
      {children}
      <Link
        aria-label={words.translate('overviewShowReason', { reason })}
        href={`${failedUrl}&${whereReason(failure)}${listed}`}
      >
        {words.translate('overviewShow')}
      </Link>
    </div>
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
