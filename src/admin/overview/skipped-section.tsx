import { Link } from '@payloadcms/ui'
import type { NotedOmission } from '../../store/overview.js'
import type { PlaceUrls } from './place-urls.js'
import { RowsTable } from './rows-table.js'
import { Section } from './section.js'
import type { Words } from './words.js'

interface SkippedProps {
  newest: NotedOmission[]
  /** Whether ShipStation has ever asked for orders. */
  hasPulled: boolean
  /** Of the list of orders. */
  ordersUrl: string
  urls: PlaceUrls
  words: Words
}

/** Orders that ShipStation did not get, and why. */
export function SkippedSection({ newest, hasPulled, ordersUrl, urls, words }: SkippedProps) {
  const { translate } = words
  return (
    <Section heading={translate('omissions')}>
      {newest.length === 0 && (
        <p>{translate(hasPulled ? 'overviewNothingSkipped' : 'overviewSkippedUnknown')}</p>
      )}
      {newest.length > 0 && (
        <>
          <RowsTable
            columns={[
              { name: 'reference', heading: translate('reference') },
              { name: 'reasons', heading: translate('reasons') },
            ]}
            name="omitted"
            rows={newest.map(({ orderId, reference, reasons }) => ({
              id: reference,
              cells: [
                orderId === undefined ? (
                  reference
                ) : (
                  <Link href={`${ordersUrl}/${orderId}`} key="order">
                    {reference}
                  </Link>
                ),
                reasons.split('\n').join(' '),
              ],
            }))}
          />
          <p>
            <Link href={urls['skipped-orders']}>{translate('overviewShowSkipped')}</Link>
          </p>
        </>
      )}
    </Section>
  )
}
