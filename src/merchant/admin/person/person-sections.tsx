'use client'

import { Link, useConfig } from '@payloadcms/ui'
import type { ReactNode } from 'react'
import type { SendState } from '../../../marketing/delivery/send.js'
import type { TranslationKey } from '../../../core/payload/label.js'
import type { KlaviyoProfile, Person } from '../../people/person.js'
import { adminUrl } from '../admin-urls.js'
import { CopyButton } from '../buttons.js'
import { Fact, FactList, RowsTable, Section } from '../overview/section.js'
import { waitText } from '../send-words.js'
import { StandingText } from '../standing.js'
import type { Words } from '../words.js'
import { personTeller } from './person-words.js'

interface SectionProps {
  person: Person
  words: Words
}

/** The rows of a section, or that there are none. */
const Rows = ({ words, ...table }: Parameters<typeof RowsTable>[0] & { words: Words }) =>
  table.rows.length === 0 ? <p>{words.translate('personNothing')}</p> : <RowsTable {...table} />

export function WhoItIs({ person, words: { translate } }: SectionProps) {
  const { config } = useConfig()
  const { account, name, emails, phoneNumbers } = person
  return (
    <Section heading={name || translate('person')}>
      <FactList>
        <Fact name={translate('personAccount')}>
          {account === undefined ? (
            translate('erasureFoundNoAccount')
          ) : (
            <Link href={adminUrl(config, account.path)}>{account.email || account.id}</Link>
          )}
        </Fact>
        <Fact name={translate('erasureEmail')}>{emails.join(', ') || '–'}</Fact>
        <Fact name={translate('personPhone')}>{phoneNumbers.join(', ') || '–'}</Fact>
      </FactList>
    </Section>
  )
}

export function Orders({ person, words }: SectionProps) {
  const { config } = useConfig()
  const { translate, number, moment } = words
  const { orders, orderCount, ordersSlug } = person
  const hasStandings = orders.some(({ standing }) => standing !== undefined)
  return (
    <Section heading={`${translate('erasureOrderCount')} (${number(orderCount)})`}>
      <Rows
        columns={{
          reference: translate('reference'),
          at: translate('personAt'),
          total: translate('personTotal'),
          status: translate('personStatus'),
          ...(hasStandings && { standing: 'ShipStation' }),
        }}
        name="person-orders"
        rows={orders.map(({ id, reference, at, total, status, standing, isErased }) => ({
          id: String(id),
          cells: [
            <Link href={adminUrl(config, `/collections/${ordersSlug}/${id}`)} key="order">
              {reference}
            </Link>,
            moment(new Date(at)),
            total,
            [status, ...(isErased ? [translate('storyErased')] : [])].join('. '),
            ...(hasStandings
              ? [standing ? <StandingText key="standing" standing={standing} /> : '–']
              : []),
          ],
        }))}
        words={words}
      />
      {orderCount > orders.length && (
        <p>{translate('personNewest', { number: number(orders.length) })}</p>
      )}
    </Section>
  )
}

export function Carts({ person: { carts, cartsSlug }, words }: SectionProps) {
  const { config } = useConfig()
  const { translate, number, moment } = words
  return (
    <Section heading={translate('personCarts')}>
      <Rows
        columns={{
          cart: translate('personChanged'),
          lines: translate('personLines'),
          link: translate('personRestore'),
        }}
        name="person-carts"
        rows={carts.map(({ id, changedAt, lines, link }) => {
          const changed = moment(new Date(changedAt))
          return {
            id: String(id),
            cells: [
              <Link href={adminUrl(config, `/collections/${cartsSlug}/${id}`)} key="cart">
                {changed}
              </Link>,
              number(lines),
              link === undefined ? '–' : <CopyButton key="link" name={changed} text={link} />,
            ],
          }
        })}
        words={words}
      />
    </Section>
  )
}

const stateNames: Readonly<Record<SendState, TranslationKey>> = {
  queued: 'sendQueued',
  sending: 'sendSending',
  sent: 'sendSent',
  failed: 'sendFailed',
  skipped: 'sendSkipped',
}

export function Sends({ person: { sends = [] }, words }: SectionProps) {
  const { config } = useConfig()
  const { translate, moment } = words
  const { sendName } = personTeller(words)
  return (
    <Section heading={translate('sends')}>
      <Rows
        columns={{
          send: translate('send'),
          at: translate('personAt'),
          state: translate('sendState'),
          reason: translate('sendErrorDetail'),
        }}
        name="person-sends"
        rows={sends.map((send) => ({
          id: String(send.id),
          cells: [
            <Link href={adminUrl(config, `/collections/marketing-sends/${send.id}`)} key="send">
              {sendName(send)}
            </Link>,
            moment(new Date(send.at)),
            translate(stateNames[send.state]),
            [send.reason, send.wait && waitText(send.wait, words)].filter(Boolean).join(' ') || '–',
          ],
        }))}
        words={words}
      />
    </Section>
  )
}

/** What the account says, and what was agreed to at checkouts. */
export function ConsentList({ person: { consents = [], proofs = [] }, words }: SectionProps) {
  const { translate, moment } = words
  const { consent } = personTeller(words)
  const entry = (key: number, title: string, ...details: string[]): ReactNode => (
    <li key={key}>
      {title}
      {details.filter(Boolean).map((detail) => (
        <div className="storeconnect-overview__quiet" key={detail}>
          {detail}
        </div>
      ))}
    </li>
  )
  return (
    <Section heading={translate('consents')}>
      {consents.length + proofs.length === 0 && <p>{translate('personNothing')}</p>}
      <ul>
        {consents.map((each, place) => entry(place, consent(each)))}
        {proofs.map(({ channel, given, wording, version, page, at, reference }, place) =>
          entry(
            consents.length + place,
            `${translate(channel === 'email' ? 'consentOfEmail' : 'consentOfSms')}: ${translate(
              given ? 'storyConsentGiven' : 'storyConsentRefused',
            )}${at === undefined ? '' : ` (${moment(new Date(at))})`}`,
            wording,
            [version, page, reference].filter(Boolean).join(' · '),
          ),
        )}
      </ul>
    </Section>
  )
}

interface KlaviyoProfilesProps {
  profiles: readonly KlaviyoProfile[]
  words: Words
}

/** The profiles that Klaviyo has, with their consents and suppressions. */
export function KlaviyoProfiles({ profiles, words }: KlaviyoProfilesProps) {
  const { translate } = words
  const { consent, suppression } = personTeller(words)
  return (
    <Section heading={translate('personAtKlaviyo')}>
      {profiles.length === 0 && <p>{translate('personNothing')}</p>}
      {profiles.map(({ id, address, consents, suppressions }) => (
        <FactList key={id}>
          <Fact name={translate('sendProfile')}>{address}</Fact>
          <Fact name={translate('consents')}>
            {consents.map((each) => consent(each)).join(', ')}
          </Fact>
          <Fact name={translate('personSuppressions')}>
            {suppressions.map((each) => suppression(each)).join(', ') || '–'}
          </Fact>
        </FactList>
      ))}
    </Section>
  )
}
