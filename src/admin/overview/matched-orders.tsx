'use client'

import { Banner, Link, useTranslation } from '@payloadcms/ui'
import type { WindowReport } from '../../store/payload/overview/overview-endpoints.js'
import { translateBy } from '../translate.js'
import { RowsTable } from './rows-table.js'
import { momentText, numberText } from './said.js'

/** How many orders a window has, as it was read, and the first of them. */
export function MatchedOrders({ report, ordersUrl }: { report: WindowReport; ordersUrl: string }) {
  const { i18n, t } = useTranslation()
  const translate = translateBy(t)
  const { language } = i18n
  const { window, timezone, total, pages, orders } = report
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
      {orders.length > 0 && (
        <RowsTable
          columns={[
            { name: 'reference', heading: translate('reference') },
            { name: 'changed', heading: translate('overviewChanged') },
            { name: 'exported', heading: translate('overviewExported') },
          ]}
          rows={orders.map(({ id, reference, updatedAt, reasons }) => ({
            id: String(id),
            cells: [
              <Link href={`${ordersUrl}/${id}`} key="order">
                {reference}
              </Link>,
              moment(updatedAt),
              reasons.length === 0 ? translate('overviewYes') : reasons.join(' '),
            ],
          }))}
        />
      )}
    </>
  )
}
