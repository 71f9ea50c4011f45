'use client'

import { Link, formatTimeToNow, useConfig, useTranslation } from '@payloadcms/ui'
import type { ListAnswer } from './list-report.js'
import { adminUrl } from './admin-urls.js'
import { translateBy } from './translate.js'

/** Below the field: why there is nothing to choose from, or how old the lists are. */
export function ListFieldNote({ answer }: { answer: ListAnswer | undefined }) {
  const { config } = useConfig()
  const { i18n, t } = useTranslation()
  const translate = translateBy(t)

  switch (answer?.is) {
    case undefined:
      return null
    case 'no-key':
      return (
        <>
          {translate('listsNoKey')}{' '}
          <Link href={adminUrl(config, '/globals/marketing-settings')}>
            {translate('listsOpenSettings')}
          </Link>
        </>
      )
    case 'unknown':
      return translate('listsUnknown', { reason: answer.problem })
    case 'known':
      if (answer.problem !== undefined) {
        const age = formatTimeToNow({ date: answer.readAt, i18n })
        return translate('listsOld', { age, reason: answer.problem })
      }
      return answer.isComplete ? null : translate('listsIncomplete')
    case 'forbidden':
      return translate('listsForbidden')
    case 'unanswered':
      return translate('listsUnanswered')
  }
}
