import { Link } from '@payloadcms/ui'
import type { OverviewReading } from '../../store/overview.js'
import { RowsTable } from './rows-table.js'
import { Section } from './section.js'
import type { Words } from './words.js'

interface OmissionsProps {
  reading: Pick<OverviewReading, 'lastPull' | 'omissions'>
  /** Of the list of orders left out. */
  listUrl: string
  /** Of the list of orders. */
  ordersUrl: string
  words: Words
}

/** Orders that ShipStation did not get, and why. */
export function OmissionsSection({ reading, listUrl, ordersUrl, words }: OmissionsProps) {
  const { translate, number } = words
  const { count, newest } = reading.omissions
  return (
    <Section heading={translate('omissions')}>
      {count === 0 && (
        <p>{translate(reading.lastPull ? 'overviewNothingLeftOut' : 'overviewLeftOutUnknown')}</p>
      )}
      {count > 0 && (
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
            <Link href={listUrl}>{translate('overviewShowLeftOut', { count: number(count) })}</Link>
          </p>
        </>
      )}
    </Section>
  )
}
