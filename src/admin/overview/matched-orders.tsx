'use client'

import { Link, useTranslation } from '@payloadcms/ui'
import type { WindowReport } from '../../store/payload/overview/overview-endpoints.js'
import { translateBy } from '../translate.js'
import { RowsTable } from './rows-table.js'
import { momentText } from './said.js'

/** The first orders of a window. */
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
