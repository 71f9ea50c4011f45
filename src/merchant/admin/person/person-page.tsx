'use client'

import { Link, useConfig } from '@payloadcms/ui'
import { useCallback, useEffect, useState, type SubmitEvent } from 'react'
import {
  personAtKlaviyoPath,
  personPath,
  type Person,
  type PersonAnswer,
  type PersonAtKlaviyo,
  type PersonQuery,
} from '../../people/person.js'
import { personUrl } from '../admin-urls.js'
import { WaitingButton } from '../buttons.js'
import { ErasureForm } from '../erasure-form.js'
import { Notice } from '../notice.js'
import { TextBox } from '../overview/previews.js'
import { useShop, type ShopAnswer } from '../use-shop.js'
import { useWords } from '../use-words.js'
import { hindrancesOf } from './hindrances.js'
import { Carts, ConsentList, KlaviyoProfiles, Orders, Sends, WhoItIs } from './person-sections.js'
import { personTeller } from './person-words.js'

interface PersonPageProps {
  /** The document that the reader comes from; none when somebody is to be typed. */
  query: PersonQuery | undefined
  timezone: string
}

interface Shown {
  query: PersonQuery
  answer: ShopAnswer<PersonAnswer>
}

/** Everything about a person who is typed, or whom a document names. */
export function PersonPage({
  query: { by, value } = { by: 'text', value: '' },
  timezone,
}: PersonPageProps) {
  const { translate } = useWords()
  const { ask, isBusy } = useShop()
  const [text, setText] = useState('')
  const [shown, show] = useState<Shown>()

  const look = useCallback(
    async (query: PersonQuery) =>
      show({ query, answer: await ask<PersonAnswer>(personPath, query) }),
    [ask],
  )
  useEffect(() => {
    const read = () => look({ by, value })
    if (value !== '') void read()
  }, [look, by, value])
  const search = (event: SubmitEvent) => {
    event.preventDefault()
    void look({ by: 'text', value: text })
  }

  return (
    <>
      <form onSubmit={search} role="search">
        <TextBox change={setText} label={translate('personField')} name="person" value={text} />
        <WaitingButton isBusy={isBusy} type="submit">
          {translate('personFind')}
        </WaitingButton>
      </form>
      {shown && (
        <Answer
          {...shown}
          key={`${shown.query.by}:${shown.query.value}`}
          renew={() => void look(shown.query)}
          timezone={timezone}
        />
      )}
    </>
  )
}

interface AnswerProps extends Shown {
  renew: () => void
  timezone: string
}

function Answer({ query, answer, renew, timezone }: AnswerProps) {
  const { config } = useConfig()
  const { translate } = useWords()
  if ('problem' in answer) {
    const none = answer.status === 404 ? translate('personNone') : translate('overviewUnanswered')
    return <Notice type="error">{answer.problem ?? none}</Notice>
  }
  if (answer.body.is === 'person') {
    return (
      <Everything person={answer.body.person} query={query} renew={renew} timezone={timezone} />
    )
  }
  return (
    <section aria-label={translate('personSeveral')}>
      <p role="status">{translate('personSeveral')}</p>
      <ul>
        {answer.body.accounts.map(({ id, email, name }) => (
          <li key={id}>
            <Link href={personUrl(config, { by: 'customer', value: String(id) })}>
              {[name, email].filter(Boolean).join(' · ') || id}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface EverythingProps {
  person: Person
  query: PersonQuery
  renew: () => void
  timezone: string
}

function Everything({ person, query, renew, timezone }: EverythingProps) {
  const words = useWords(timezone)
  const { translate } = words
  const { ask } = useShop()
  const [klaviyo, setKlaviyo] = useState<ShopAnswer<PersonAtKlaviyo>>()
  const hasKlaviyo = person.sends !== undefined
  const isNamed = person.emails.length + person.phoneNumbers.length > 0
  const { by, value } = query

  useEffect(() => {
    const read = async () => setKlaviyo(await ask(personAtKlaviyoPath, { by, value }))
    if (hasKlaviyo && isNamed) void read()
  }, [ask, by, hasKlaviyo, isNamed, value])

  const [email] = person.emails
  return (
    <>
      {hasKlaviyo && isNamed && <Verdict klaviyo={klaviyo} person={person} words={words} />}
      <WhoItIs {...{ person, words }} />
      <Orders {...{ person, words }} />
      <Carts {...{ person, words }} />
      {hasKlaviyo && (
        <>
          <Sends {...{ person, words }} />
          <ConsentList {...{ person, words }} />
          {klaviyo && 'body' in klaviyo && klaviyo.body.is === 'known' && (
            <KlaviyoProfiles profiles={klaviyo.body.profiles} words={words} />
          )}
        </>
      )}
      {email === undefined ? (
        <p>{translate('personNoEmail')}</p>
      ) : (
        <ErasureForm email={email} whenErased={renew} />
      )}
    </>
  )
}

interface VerdictProps {
  person: Person
  /** Undefined while Klaviyo is asked. */
  klaviyo: ShopAnswer<PersonAtKlaviyo> | undefined
  words: ReturnType<typeof useWords>
}

/** Whether mails reach the person, and what is in their way. */
function Verdict({ person, klaviyo, words }: VerdictProps) {
  const { translate } = words
  const { hindrance } = personTeller(words)
  const answered = klaviyo && 'body' in klaviyo ? klaviyo.body : undefined
  const found = hindrancesOf(person, answered)
  const problem =
    klaviyo && 'problem' in klaviyo
      ? (klaviyo.problem ?? translate('overviewUnanswered'))
      : answered?.is === 'unknown'
        ? answered.problem
        : undefined
  return (
    <div aria-live="polite" className="storeconnect-overview__answer" role="status">
      {found.map((each, place) => (
        <Notice key={place} type={each.is === 'neverAsked' ? 'info' : 'error'}>
          {hindrance(each)}
        </Notice>
      ))}
      {klaviyo === undefined && <p>{translate('personKlaviyoAsked')}</p>}
      {problem !== undefined && (
        <Notice type="warning">{translate('personKlaviyoUnknown', { reason: problem })}</Notice>
      )}
      {found.length === 0 && answered?.is === 'known' && (
        <Notice type="success">{translate('personNothingInTheWay')}</Notice>
      )}
    </div>
  )
}
