import { Link } from '@payloadcms/ui'
import type { SendKind } from '../../../marketing/delivery/send.js'
import { countedAtMost, type MarketingFacts } from '../../overview/read-marketing.js'
import type { TranslationKey } from '../../../core/payload/label.js'
import { FailureReason } from './failure-reason.js'
import { FocusKeeper } from './focus-keeper.js'
import { Moment, Section } from './section.js'
import type { PlaceUrls } from './place-urls.js'
import { ResendReason } from './resend-reason.js'
import { resendWarning } from './resend-warning.js'
import { whereReason } from './where-reason.js'
import { RowsTable } from './rows-table.js'
import type { Words } from '../words.js'

const kindNames: Readonly<Record<SendKind, TranslationKey>> = {
  event: 'overviewEvents',
  identify: 'overviewProfiles',
  'list-add': 'overviewListAdds',
  subscribe: 'overviewSubscriptions',
  erase: 'overviewErasures',
  'past-event': 'overviewPastEvents',
  consent: 'overviewConsents',
  unsubscribe: 'overviewUnsubscriptions',
}

interface SendsProps {
  facts: MarketingFacts
  urls: PlaceUrls
  words: Words
}

/** The sends that wait for Klaviyo, by kind. */
export function WaitingSection({ facts, urls, words }: SendsProps) {
  const { translate } = words
  const waiting = facts.waiting.filter(({ count }) => count > 0)
  return (
    <Section heading={translate('overviewWaiting')}>
      {waiting.length === 0 ? (
        <p>{translate('overviewNothingWaits')}</p>
      ) : (
        <>
          <RowsTable
            columns={[
              { name: 'kind', heading: translate('sendKind') },
              { name: 'count', heading: translate('overviewCount') },
              { name: 'next', heading: translate('sendNextAttemptAt') },
            ]}
            name="waiting"
            rows={waiting.map(({ kind, count, nextAt }) => ({
              id: kind,
              cells: [
                translate(kindNames[kind]),
                counted(count, words),
                nextAt === undefined ? '–' : <Moment at={nextAt} key="next" words={words} />,
              ],
            }))}
          />
          <p>
            <Link href={urls['waiting-sends']}>{translate('overviewOpenWaiting')}</Link>
          </p>
        </>
      )}
    </Section>
  )
}

/** The failed sends, by reason. */
export function FailedSection({ facts: { failed }, urls, words }: SendsProps) {
  const { translate, number } = words
  return (
    <Section heading={translate('overviewFailed')}>
      <FocusKeeper label={translate('overviewFailed')}>
        {failed.length === 0 ? (
          <p>{translate('overviewNothingFailed')}</p>
        ) : (
          <RowsTable
            columns={[
              { name: 'reason', heading: translate('sendErrorDetail') },
              { name: 'count', heading: translate('overviewCount') },
              { name: 'actions', heading: translate('overviewActions') },
            ]}
            name="failed"
            rows={failed.map((failure) => ({
              id: failure.reason,
              cells: [
                <FailureReason key="reason" {...{ failure, words }} />,
                number(failure.count),
                <div className="storeconnect-overview__row" key="actions">
                  <ResendReason reason={failure.reason} warning={resendWarning(failure, words)} />
                  <Link
                    aria-label={translate('overviewShowReason', { reason: failure.reason })}
                    href={`${urls['failed-sends']}&${whereReason(failure)}`}
                  >
                    {translate('overviewShow')}
                  </Link>
                </div>,
              ],
            }))}
          />
        )}
      </FocusKeeper>
      <p>
        <Link href={urls.failures}>{translate('failuresHeading')}</Link>
      </p>
    </Section>
  )
}

const counted = (count: number, { number }: Words) =>
  count < countedAtMost ? number(count) : `≥ ${number(countedAtMost)}`
