import { Link } from '@payloadcms/ui'
import {
  countedAtMost,
  type FailedReason,
  type OverviewReading,
  type WaitingSends,
} from '../../store/overview.js'
import type { TranslationKey } from '../../store/payload/label.js'
import { FocusKeeper } from './focus-keeper.js'
import { Moment } from './moment.js'
import { ResendReason } from './resend-reason.js'
import { RowsTable } from './rows-table.js'
import { Section } from './section.js'
import type { Words } from './words.js'

const laneNames: Readonly<Record<WaitingSends['lane'], TranslationKey>> = {
  events: 'overviewEvents',
  profiles: 'overviewProfiles',
  'list-adds': 'overviewListAdds',
  subscriptions: 'overviewSubscriptions',
}

interface SendsProps {
  reading: Pick<OverviewReading, 'waiting' | 'failed'>
  /** Of the list of sends. */
  sendsUrl: string
  words: Words
}

/** What is on its way to Klaviyo. */
export function WaitingSection({ reading, sendsUrl, words }: SendsProps) {
  const { translate } = words
  const waiting = reading.waiting.filter(({ count }) => count > 0)
  return (
    <Section heading={translate('overviewWaiting')}>
      {waiting.length === 0 && <p>{translate('overviewNothingWaits')}</p>}
      {waiting.length > 0 && (
        <>
          <RowsTable
            columns={[
              { name: 'kind', heading: translate('sendKind') },
              { name: 'count', heading: translate('overviewCount') },
              { name: 'next', heading: translate('sendNextAttemptAt') },
            ]}
            name="waiting"
            rows={waiting.map(({ lane, count, nextAt }) => ({
              id: lane,
              cells: [
                translate(laneNames[lane]),
                counted(count, words),
                nextAt === undefined ? '–' : <Moment at={nextAt} key="next" words={words} />,
              ],
            }))}
          />
          <p>
            <Link href={`${sendsUrl}?${whereState('queued')}&${orState('sending')}`}>
              {translate('overviewShowWaiting')}
            </Link>
          </p>
        </>
      )}
    </Section>
  )
}

/** What Klaviyo did not take, by reason. */
export function FailedSection({ reading: { failed }, sendsUrl, words }: SendsProps) {
  const { translate, number } = words
  return (
    <Section heading={translate('overviewFailed')}>
      <FocusKeeper label={translate('overviewFailed')}>
        {failed.length === 0 && <p>{translate('overviewNothingFailed')}</p>}
        {failed.length > 0 && (
          <RowsTable
            columns={[
              { name: 'reason', heading: translate('sendErrorDetail') },
              { name: 'count', heading: translate('overviewCount') },
              { name: 'actions', heading: translate('overviewActions') },
            ]}
            name="failed"
            rows={failed.map((reason) => ({
              id: reason.code,
              cells: [
                <Reason key="reason" reason={reason} />,
                number(reason.count),
                <div className="storeconnect-overview__row" key="actions">
                  <ResendReason code={reason.code} />
                  <Link
                    aria-label={translate('overviewShowReason', { reason: reason.code })}
                    href={`${sendsUrl}?${whereState('failed')}&${whereCode(reason.code)}`}
                  >
                    {translate('overviewShow')}
                  </Link>
                </div>,
              ],
            }))}
          />
        )}
      </FocusKeeper>
    </Section>
  )
}

const Reason = ({ reason: { code, detail } }: { reason: FailedReason }) => (
  <>
    {detail} <code>{code === '' ? '–' : code}</code>
  </>
)

const counted = (count: number, { number }: Words) =>
  count < countedAtMost ? number(count) : `≥ ${number(countedAtMost)}`

const whereState = (state: string) => `where[or][0][and][0][state][equals]=${state}`

const orState = (state: string) => `where[or][1][and][0][state][equals]=${state}`

const whereCode = (code: string) =>
  code === ''
    ? 'where[or][0][and][1][error.code][exists]=false'
    : `where[or][0][and][1][error.code][equals]=${encodeURIComponent(code)}`
