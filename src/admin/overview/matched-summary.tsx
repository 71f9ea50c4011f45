'use client'

import { Banner, useTranslation } from '@payloadcms/ui'
import type { WindowReport } from '../../store/payload/overview/overview-endpoints.js'
import { translateBy } from '../translate.js'
import { momentText, numberText } from './said.js'

/** How many orders a window has, as it was read. */
export function MatchedSummary({ report }: { report: WindowReport }) {
  const { i18n, t } = useTranslation()
  const translate = translateBy(t)
  const { language } = i18n
  const { window, timezone, total, pages } = report
  const moment = (at: string) => momentText(new Date(at), { language, timezone })

  return (
    <>
      {window === undefined && <Banner type="info">{translate('overviewAllTimes')}</Banner>}
      <p>
        {window &&
          `${translate('overviewBetween', {
            after: moment(window.after),
            before: moment(window.before),
            timezone,
          })} `}
        {translate('overviewMatches', {
          total: numberText(total, language),
          pages: numberText(pages, language),
        })}
      </p>
    </>
  )
}
