'use client'

import { FieldLabel, Link, useConfig, useDocumentInfo } from '@payloadcms/ui'
import { useEffect, useId, useState } from 'react'
import {
  orderXmlPath,
  storyPath,
  type Story,
  type StoryEntry,
  type StorySend,
} from '../story/story-entry.js'
import { adminUrl, apiUrl } from './admin-urls.js'
import { Notice } from './notice.js'
import { PersonLink } from './person/person-link.js'
import { StandingText } from './standing.js'
import { hasArrived, storyLines } from './story-lines.js'
import { storyTeller } from './story-words.js'
import { useReaderTimezone, useWords } from './use-words.js'
import { useShop, type ShopAnswer } from './use-shop.js'

/** On the page of an order or a customer: what happened, the newest first. */
export function StoryOfDocument({ of }: { of: 'orders' | 'customers' }) {
  const { id } = useDocumentInfo()
  const { translate } = useWords()
  const { ask } = useShop()
  const [answer, setAnswer] = useState<ShopAnswer<Story>>()
  const labelId = useId()

  useEffect(() => {
    if (id === undefined) return
    const read = async () => setAnswer(await ask<Story>(`${storyPath}/${of}/${id}`))
    void read()
  }, [ask, id, of])

  // Who may not read it sees no place for it.
  if (answer === undefined || ('status' in answer && answer.status === 403)) return null
  return (
    <section aria-labelledby={labelId} className="field-type storeconnect-story">
      <style href="storeconnect-story" precedence="medium">
        {style}
      </style>
      <div id={labelId}>
        <FieldLabel as="span" label={translate('story')} />
      </div>
      <PersonLink by={of === 'orders' ? 'order' : 'customer'} value={id} />
      {'body' in answer ? (
        <Entries story={answer.body} />
      ) : (
        <Notice type="error">{answer.problem ?? translate('overviewUnanswered')}</Notice>
      )}
    </section>
  )
}

function Entries({ story }: { story: Story }) {
  const { config } = useConfig()
  const words = useWords(useReaderTimezone())
  const { translate, instant, number } = words
  const tell = storyTeller(words, story)
  const { entries, reference, standing } = story
  const xmlUrl =
    reference === undefined
      ? undefined
      : apiUrl(config, `${orderXmlPath}?${new URLSearchParams({ reference }).toString()}`)

  return (
    <>
      {standing !== undefined && (
        <p className="storeconnect-story__standing">
          <StandingText standing={standing} />
        </p>
      )}
      <p className="storeconnect-story__detail">{translate('storyDescription')}</p>
      {xmlUrl !== undefined && (
        <p>
          <a href={xmlUrl} rel="noreferrer" target="_blank">
            {translate('storyXml')}
          </a>
        </p>
      )}
      <ol>
        {storyLines(entries).map(({ entry, pulls }, index) => {
          const { title, details } = tell(entry)
          const links = linksOf(entry)
          const since = pulls?.since ? instant(new Date(pulls.since)) : ''
          const repeated = pulls
            ? [`${translate('pulls')}: ${number(pulls.count)} (${since} –)`]
            : []
          return (
            <li key={index}>
              {entry.at !== null && <time dateTime={entry.at}>{instant(new Date(entry.at))}</time>}
              <div>
                {title}{' '}
                {links.map(({ path, text }) => (
                  <Link href={adminUrl(config, path)} key={path}>
                    {typeof text === 'string' ? translate(text) : text.order}
                  </Link>
                ))}
                {[...details, ...repeated].map((detail) => (
                  <div className="storeconnect-story__detail" key={detail}>
                    {detail}
                  </div>
                ))}
              </div>
            </li>
          )
        })}
      </ol>
    </>
  )
}

interface StoryLink {
  path: `/${string}`
  text:
    | 'storyMessage'
    | 'storyResend'
    | 'storyPull'
    | 'storyShipment'
    | 'storyOpenPayment'
    | { order: string }
}

const sendPage = ({ id }: Pick<StorySend, 'id'>): `/${string}` =>
  `/collections/marketing-sends/${id}`

/** The places that an entry leads to. A failed send is resent on its own page. */
function linksOf(entry: StoryEntry): StoryLink[] {
  switch (entry.is) {
    case 'accepted':
      return [{ path: sendPage(entry.send), text: 'storyMessage' }]
    case 'delivered':
      return [{ path: sendPage(entry.send), text: 'storyMessage' }]
    case 'attempt':
      if (hasArrived(entry.attempt)) return [{ path: sendPage(entry.send), text: 'storyMessage' }]
      return entry.canResend ? [{ path: sendPage(entry.send), text: 'storyResend' }] : []
    case 'waits':
      return entry.wait.for === 'earlier'
        ? [{ path: sendPage(entry.wait.send), text: 'storyMessage' }]
        : []
    case 'failed':
      return [{ path: sendPage(entry.send), text: 'storyResend' }]
    case 'pull':
      return [{ path: `/collections/shipping-pulls/${entry.pull}`, text: 'storyPull' }]
    case 'notice':
      return [{ path: `/collections/shipping-notices/${entry.notice}`, text: 'storyShipment' }]
    case 'payment': {
      const { id, slug } = entry.payment
      return [{ path: `/collections/${slug}/${id}`, text: 'storyOpenPayment' }]
    }
    case 'placed':
      return entry.order === undefined
        ? []
        : [
            {
              path: `/collections/${entry.order.slug}/${entry.order.id}`,
              text: { order: entry.order.reference },
            },
          ]
    default:
      return []
  }
}

const style = `
.storeconnect-story__standing { font-size: 1.15em; font-weight: 600; margin-block: calc(var(--base) * 0.5); overflow-wrap: anywhere; }
.storeconnect-story ol { display: grid; grid-template-columns: max-content minmax(0, 1fr); list-style: none; margin: 0; padding: 0; }
.storeconnect-story li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; gap: 0 calc(var(--base) * 0.6); padding: calc(var(--base) * 0.3) 0; border-bottom: 1px solid var(--theme-border-color); }
.storeconnect-story li > div { grid-column: 2; overflow-wrap: anywhere; }
.storeconnect-story__detail { color: var(--theme-elevation-650, var(--theme-text)); }
`
