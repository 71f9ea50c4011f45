'use client'

import { Banner, Link, useTranslation } from '@payloadcms/ui'
import type { WindowReport } from '../../store/payload/overview/overview-endpoints.js'
import { countedBy, translateBy } from '../translate.js'
import { RowsTable } from './rows-table.js'
import { momentText } from './said.js'

/** How many orders are between two dates, as these were read. */
export function MatchedSummary({ report }: { report: WindowReport }) {
  const { i18n, t } = useTranslation()
  const translate = translateBy(t)
  const counted = countedBy(translate, i18n.language)
  const { window, timezone, total, pages } = report
  const moment = (at: string) => momentText(new Date(at), { language: i18n.language, timezone })

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
          orders: counted('overviewOrders', total),
          pages: counted('overviewPages', pages),
        })}
      </p>
    </>
  )
}

/** The first of them. */
export function MatchedOrders({ report, ordersUrl }: { report: WindowReport; ordersUrl: string }) {
  const { i18n, t } = useTranslation()
  const translate = translateBy(t)
  const { timezone, orders } = report
  if (orders.length === 0) return null

  return (
    <RowsTable
      columns={[
        { name: 'reference', heading: translate('reference') },
        { name: 'changed', heading: translate('overviewChanged') },
        { name: 'exported', heading: translate('overviewExported') },
      ]}
      name="matched"
      rows={orders.map(({ id, reference, updatedAt, reasons }) => ({
        id: String(id),
        cells: [
          <Link href={`${ordersUrl}/${id}`} key="order">
            {reference}
          </Link>,
          momentText(new Date(updatedAt), { language: i18n.language, timezone }),
          reasons.length === 0 ? translate('overviewYes') : reasons.join(' '),
        ],
      }))}
    />
  )
}
