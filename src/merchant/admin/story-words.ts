import type { TranslationKey } from '../../core/payload/label.js'
import { parcelStateTexts } from '../../shop/orders/parcel-state.js'
import type { Story, StoryEntry, StorySend } from '../story/story-entry.js'
import { meanings, sendName, waitText } from './send-words.js'
import type { Words } from './words.js'

/** What an entry says: a sentence, and what belongs to it. */
export interface EntryText {
  title: string
  details: string[]
}

const consentStatuses: Readonly<Record<string, TranslationKey>> = {
  subscribed: 'consentSubscribed',
  unsubscribed: 'consentUnsubscribed',
}

type Of<Is extends StoryEntry['is']> = Extract<StoryEntry, { is: Is }>

/** Puts the entries of a story into the reader's language. */
export function storyTeller(words: Words, { statuses }: Story) {
  const { translate, number, milliseconds } = words
  const statusName = (status: string) =>
    (Object.hasOwn(statuses, status) ? statuses[status] : undefined) ?? status
  const about = (send: StorySend, what: string) => `${sendName(send, words)}: ${what}`
  const named = (name: TranslationKey, value: string | number | undefined) =>
    value === undefined || value === '' ? [] : [`${translate(name)}: ${value}`]

  const makerOf = ({ by, admin, isImport }: Of<'status'>): string[] => {
    if (isImport) return [translate('storyByImport')]
    if (by === undefined) return []
    if (by === 'customer') return [translate('storyByCustomer')]
    if (by === 'shipment') return [translate('storyByShipment')]
    return [
      admin === undefined
        ? translate('storyByUnknownAdmin')
        : translate('storyByAdmin', { email: admin }),
    ]
  }

  const notice = (entry: Of<'notice'>): EntryText => {
    const { carrier, service, trackingNumber, from, to, itemsLeft, repeats } = entry
    const parcel = [carrier, service, trackingNumber].filter(Boolean).join(' · ')
    const change =
      from !== undefined && to !== undefined && from !== to
        ? [`${statusName(from)} → ${statusName(to)}`]
        : []
    return {
      title: [translate('storyNotice'), parcel].filter(Boolean).join(': '),
      details: [
        ...change,
        ...named('itemsLeft', itemsLeft === undefined ? undefined : number(itemsLeft)),
        ...named('noticeRepeats', repeats === 0 ? undefined : number(repeats)),
        ...named('recipient', entry.recipient?.replaceAll('\n', ', ')),
        ...named('notesToCustomer', entry.notesToCustomer),
      ],
    }
  }

  const attempt = ({
    send,
    attempt: { meant, status, code, detail, pointer, ms },
  }: Of<'attempt'>): EntryText => ({
    title: about(send, translate(meanings[meant])),
    details: [
      [status, code, ms === undefined ? undefined : milliseconds(ms)]
        .filter((part) => part !== undefined)
        .join(' · '),
      [detail, pointer].filter(Boolean).join(' '),
    ].filter(Boolean),
  })

  const tellers: { [Is in StoryEntry['is']]: (entry: Of<Is>) => EntryText } = {
    placed: ({ site, status }) => ({
      title: site === undefined ? translate('storyPlaced') : translate('storyPlacedOn', { site }),
      details: status === undefined ? [] : [statusName(status)],
    }),
    restored: () => ({ title: translate('storyRestored'), details: [] }),
    payment: ({ amount, status }) => ({
      title: translate('storyPayment', { amount }),
      details: [statusName(status)],
    }),
    status: (entry) => ({
      title: translate('storyStatus', { status: statusName(entry.status) }),
      details: makerOf(entry),
    }),
    pull: ({ page, pages, isAnswered, asked }) => ({
      title: isAnswered
        ? translate('orderPulls') +
          translate('orderPullsPage', { page: number(page), pages: number(pages) })
        : translate('storyPullUnanswered'),
      details: asked === undefined ? [] : [asked],
    }),
    skipped: ({ reasons }) => ({ title: translate('storySkipped'), details: [reasons] }),
    notice,
    parcel: ({ state, carrier, trackingNumber }) => ({
      title: `${translate(parcelStateTexts[state])}: ${[carrier, trackingNumber].filter(Boolean).join(' · ')}`,
      details: [],
    }),
    accepted: ({ send }) => ({ title: about(send, translate('storyAccepted')), details: [] }),
    attempt,
    delivered: ({ send }) => ({ title: about(send, translate('attemptDelivered')), details: [] }),
    waits: ({ send, wait }) => ({ title: about(send, waitText(wait, words)), details: [] }),
    failed: ({ send, detail }) => ({
      title: about(send, translate('sendFailed')),
      details: detail === '' ? [] : [detail],
    }),
    consent: ({ channel, given, wording, version, page, reference }) => ({
      title: `${translate(channel === 'email' ? 'consentOfEmail' : 'consentOfSms')}: ${translate(
        given ? 'storyConsentGiven' : 'storyConsentRefused',
      )}`,
      details: [wording, [version, page, reference].filter(Boolean).join(' · ')].filter(Boolean),
    }),
    consentStatus: ({ channel, status, source }) => {
      const name = consentStatuses[status]
      return {
        title: `${translate(channel === 'email' ? 'emailConsent' : 'smsConsent')}: ${
          name === undefined ? status : translate(name)
        }`,
        details: source === '' ? [] : [source],
      }
    },
    erased: () => ({ title: translate('storyErased'), details: [] }),
    account: () => ({ title: translate('storyAccount'), details: [] }),
  }
  // The teller of an entry's own name takes such an entry, which the compiler cannot follow.
  return (entry: StoryEntry): EntryText =>
    (tellers[entry.is] as (entry: StoryEntry) => EntryText)(entry)
}
