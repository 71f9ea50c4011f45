import { Link } from '@payloadcms/ui'
import { countedAtMost, type FailedReason, type WaitingSends } from '../../store/overview.js'
import type { TranslationKey } from '../../store/payload/label.js'
import { FocusKeeper } from './focus-keeper.js'
import { Moment } from './moment.js'
import type { PlaceUrls } from './place-urls.js'
import { ResendReason } from './resend-reason.js'
import { RowsTable } from './rows-table.js'
import { Section } from './section.js'
import type { Words } from './words.js'

const kindNames: Readonly<Record<WaitingSends['kind'], TranslationKey>> = {
  event: 'overviewEvents',
  identify: 'overviewProfiles',
  'list-add': 'overviewListAdds',
  subscribe: 'overviewSubscriptions',
  'past-event': 'overviewPastEvents',
}

interface SendsProps {
  urls: PlaceUrls
  words: Words
}

/** What is on its way to Klaviyo. */
export function WaitingSection({
  waiting: kinds,
  urls,
  words,
}: SendsProps & { waiting: WaitingSends[] }) {
  const { translate } = words
  const waiting = kinds.filter(({ count }) => count > 0)
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

/** What Klaviyo did not take, by reason. */
export function FailedSection({ failed, urls, words }: SendsProps & { failed: FailedReason[] }) {
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
                    href={`${urls['failed-sends']}&${whereCode(reason.code)}`}
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

const whereCode = (code: string) =>
  code === ''
    ? 'where[or][0][and][1][error.code][exists]=false'
    : `where[or][0][and][1][error.code][equals]=${encodeURIComponent(code)}`
