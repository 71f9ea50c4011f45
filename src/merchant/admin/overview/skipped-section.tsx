import { Link } from '@payloadcms/ui'
import type { OverviewDetails } from '../../overview/overview.js'
import type { PlaceUrls } from './place-urls.js'
import { RowsTable } from './rows-table.js'
import { Section } from './section.js'
import { reportStored } from '../../../shipping/export/skip-reason.js'
import type { Words } from '../words.js'

interface SkippedProps {
  newest: NonNullable<OverviewDetails['newestSkipped']>
  /** Whether ShipStation has ever asked for orders. */
  hasPulled: boolean
  /** The URL of the list of orders in the admin. */
  ordersUrl: string
  urls: PlaceUrls
  words: Words
}

/** Orders that ShipStation did not get, and why. */
export function SkippedSection({ newest, hasPulled, ordersUrl, urls, words }: SkippedProps) {
  const { translate } = words
  return (
    <Section heading={translate('overviewSkippedOrders')}>
      {newest.length === 0 ? (
        <p>{translate(hasPulled ? 'overviewNothingSkipped' : 'overviewSkippedUnknown')}</p>
      ) : (
        <>
          <RowsTable
            columns={[
              { name: 'reference', heading: translate('reference') },
              { name: 'reasons', heading: translate('reasons') },
            ]}
            name="skipped"
            rows={newest.map(({ orderId, reference, reasons, isFailure }) => ({
              id: reference,
              cells: [
                orderId === undefined ? (
                  reference
                ) : (
                  <Link href={`${ordersUrl}/${orderId}`} key="order">
                    {reference}
                  </Link>
                ),
                [
                  ...reportStored(reasons, translate).map(({ message }) => message),
                  ...(isFailure ? [] : [translate('overviewNothingToComplete')]),
                ].join(' '),
              ],
            }))}
          />
          <p>
            <Link href={urls['all-skipped-orders']}>{translate('overviewShowSkipped')}</Link>
          </p>
        </>
      )}
    </Section>
  )
}
