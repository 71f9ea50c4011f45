import { Link } from '@payloadcms/ui'
import type { DocumentViewServerProps, PayloadRequest } from 'payload'
import type { ReactNode } from 'react'
import type { DocumentId } from '../../core/database/document-id.js'
import { installedIn } from '../../core/installation.js'
import { attemptsKept, type Attempt } from '../../marketing/delivery/attempt.js'
import { sendKindNames, type SendKind, type SendState } from '../../marketing/delivery/send.js'
import { sendsSlug } from '../../marketing/delivery/send-table.js'
import type { SendWait } from '../../marketing/delivery/send-wait.js'
import type { Message } from '../../marketing/klaviyo/message.js'
import type { AdminPageProps } from '../overview/overview-global.js'
import { adminUrl } from './admin-urls.js'
import { Notice } from './notice.js'
import { PageFrame } from './overview/page-frame.js'
import { Fact, FactList, Section } from './overview/section.js'
import { PersonLink } from './person/person-link.js'
import { SendActions } from './send-actions.js'
import { meanings, sendName, waitText } from './send-words.js'
import { createWords, type Words } from './words.js'

/** A send as Payload reads it for the page. */
interface ShownSend {
  id: number
  state: SendState
  kind: SendKind
  profile: string
  account?: string | null
  key: string
  metric?: string | null
  list?: string | null
  uniqueId?: string | null
  error?: { detail?: string | null }
  message: Message
  acceptedAt: string
  sentAt?: string | null
  lastAttempts?: Attempt[] | null
}

interface SendViewProps extends DocumentViewServerProps, AdminPageProps {
  ordersSlug: string
  customersSlug: string | undefined
}

/** The page of a send: what became of it and why, whom and what it is about, and beside its message the attempts. */
export function SendView(props: SendViewProps) {
  const { doc, initPageResult, isAdmin, timezone } = props
  const { req } = initPageResult
  const words = createWords(req.i18n, timezone)
  const { translate } = words
  const send = doc as unknown as ShownSend
  const sends = adminUrl(req.payload.config, `/collections/${sendsSlug}`)
  return (
    <PageFrame
      heading={sendName(send, words)}
      intro={
        <p>
          <Link href={sends}>{translate('sends')}</Link>
        </p>
      }
      name={send.profile}
      {...{ isAdmin, req, words }}
    >
      <SendPage {...{ send, req, words }} {...props} />
    </PageFrame>
  )
}

interface SendPageProps extends Pick<SendViewProps, 'ordersSlug' | 'customersSlug'> {
  send: ShownSend
  req: PayloadRequest
  words: Words
}

async function SendPage({ send, req, words, ordersSlug, customersSlug }: SendPageProps) {
  const { translate, number } = words
  const { config } = req.payload
  const parts = await installedIn(req.payload)
  const wait = (await parts?.sendWaits?.([send.id]))?.get(send.id)
  const order = await parts?.stories.orderNamed(orderNumberOf(send))
  const attempts = (send.lastAttempts ?? []).toReversed()
  const pageOf = (slug: string, id: DocumentId) => adminUrl(config, `/collections/${slug}/${id}`)

  return (
    <>
      <div className="storeconnect-overview__answer">
        <Outcome {...{ send, wait, words }} earlierUrl={(id) => pageOf(sendsSlug, id)} />
        {send.state === 'failed' && <SendActions id={send.id} />}
        <PersonLink by="send" value={send.id} />
      </div>
      <FactList>
        <Fact name={translate('paymentPerson')}>
          {customersSlug && send.account ? (
            <Link href={pageOf(customersSlug, send.account)}>{send.profile}</Link>
          ) : (
            send.profile
          )}
        </Fact>
        {order && (
          <Fact name={translate('order')}>
            <Link href={pageOf(ordersSlug, order.id)}>{order.reference}</Link>
          </Fact>
        )}
        {send.metric && (
          <Fact name={translate('sendKind')}>{translate(sendKindNames[send.kind])}</Fact>
        )}
        {send.list && <Fact name={translate(listName(send))}>{send.list}</Fact>}
        {send.uniqueId && <Fact name={translate('sendUniqueId')}>{send.uniqueId}</Fact>}
        <Fact name={translate('sendAcceptedAt')}>
          <Instant at={send.acceptedAt} words={words} />
        </Fact>
      </FactList>
      <div className="storeconnect-overview__columns">
        <Section heading={translate('sendMessage')}>
          <pre tabIndex={0}>{JSON.stringify(send.message, null, 2)}</pre>
        </Section>
        {attempts.length > 0 && (
          <Section heading={translate('sendLastAttempts')}>
            <p>{translate('sendLastAttemptsDescription', { number: number(attemptsKept) })}</p>
            <ol className="storeconnect-overview__attempts">
              {attempts.map((attempt, index) => (
                <AttemptItem
                  key={index}
                  {...{ attempt, words }}
                  said={send.error?.detail ?? undefined}
                />
              ))}
            </ol>
          </Section>
        )}
      </div>
    </>
  )
}

const listName = ({ kind }: ShownSend) => (kind === 'back-in-stock' ? 'sendUniqueId' : 'sendList')

const looks = { sent: 'success', failed: 'error', skipped: 'info' } as const

interface OutcomeProps {
  send: ShownSend
  wait: SendWait | undefined
  earlierUrl: (id: number) => string
  words: Words
}

/** One sentence: its state, and why it is so. */
function Outcome({ send: { state, sentAt, error }, wait, earlierUrl, words }: OutcomeProps) {
  const { translate } = words
  const name = translate(stateNames[state])
  if (state === 'queued' || state === 'sending') {
    return (
      <Notice type="info">
        {[name, wait && waitText(wait, words)].filter(Boolean).join(': ')}{' '}
        {wait?.for === 'earlier' && (
          <Link href={earlierUrl(wait.send.id)}>{translate('storyMessage')}</Link>
        )}
      </Notice>
    )
  }
  return (
    <Notice type={looks[state]}>
      {[name, error?.detail].filter(Boolean).join(': ')}{' '}
      {sentAt && <Instant at={sentAt} words={words} />}
    </Notice>
  )
}

const stateNames = {
  queued: 'sendQueued',
  sending: 'sendSending',
  sent: 'sendSent',
  failed: 'sendFailed',
  skipped: 'sendSkipped',
} as const

interface AttemptItemProps {
  attempt: Attempt
  /** The error that the page has said already. */
  said: string | undefined
  words: Words
}

function AttemptItem({ attempt, said, words }: AttemptItemProps) {
  const { at, meant, detail, pointer, status, code, ms, request } = attempt
  const { translate, milliseconds } = words
  const facts: [name: string, value: ReactNode][] = [
    [translate('sendErrorStatus'), status],
    [translate('sendErrorCode'), code],
    [translate('sendErrorPointer'), pointer],
    [translate('attemptDuration'), ms === undefined ? undefined : milliseconds(ms)],
    [translate('attemptRequest'), request],
  ]
  return (
    <li>
      <Instant at={at} words={words} /> {translate(meanings[meant])}
      {detail !== said && detail !== undefined && `: ${detail}`}
      <FactList>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ),
        )}
      </FactList>
    </li>
  )
}

const Instant = ({ at, words }: { at: string; words: Words }) => (
  <time dateTime={at}>{words.instant(new Date(at))}</time>
)

/** The number of its order: in the key of what the shop itself tells, else in the event. */
function orderNumberOf({ key, message }: ShownSend): string {
  const [kind, number] = key.split(':')
  if (kind === 'order' && number) return number
  const named = message.kind === 'event' && message.event.properties.OrderNumber
  return typeof named === 'string' ? named : ''
}
