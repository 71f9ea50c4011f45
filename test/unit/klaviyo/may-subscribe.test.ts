import { describe, expect, it } from 'vitest'
import type { ChannelConsent, ProfileConsents } from '../../../src/klaviyo/profile-consents.js'
import {
  whyNotSubscribe,
  type KnownOfPerson,
  type OwnSubscription,
} from '../../../src/klaviyo/may-subscribe.js'
import type { SubscribeMessage } from '../../../src/klaviyo/message.js'

const at = (time: string) => new Date(`2026-03-10T${time}:00Z`)

const never: ChannelConsent = { status: 'never', since: undefined, source: '' }
const left = (since?: Date): ChannelConsent => ({ status: 'unsubscribed', since, source: '' })
const back = (since?: Date): ChannelConsent => ({ status: 'subscribed', since, source: '' })

const profile = (consents: Partial<ProfileConsents>): ProfileConsents => ({
  id: '01A',
  address: { email: 'ada@example.com' },
  email: never,
  sms: never,
  leftEmail: [],
  leftLists: [],
  ...consents,
})

interface Own
  extends
    Pick<OwnSubscription, 'acceptedAt' | 'sentAt'>,
    Pick<SubscribeMessage, 'channels' | 'list' | 'profile'> {
  kind: 'subscribe' | 'unsubscribe'
  basis?: SubscribeMessage['basis']
}

/** What the outbox holds: by default, an unsubscribe of email from ten o'clock. */
function own(more: Partial<Own>): OwnSubscription {
  const { acceptedAt, sentAt, ...message } = {
    kind: 'unsubscribe' as const,
    profile: { email: 'ada@example.com' },
    list: 'NEWS',
    channels: ['email' as const],
    acceptedAt: at('10:00'),
    sentAt: at('10:01'),
    ...more,
  }
  return { id: 1, message: message as OwnSubscription['message'], acceptedAt, sentAt }
}

const known = (more: Partial<KnownOfPerson> = {}): KnownOfPerson => ({
  platform: [],
  account: undefined,
  own: [],
  ...more,
})

/** What happens to a subscription that was accepted at noon. */
function codeOf(facts: Partial<KnownOfPerson>, more: Partial<SubscribeMessage> = {}) {
  const message: SubscribeMessage = {
    kind: 'subscribe',
    profile: { email: 'ada@example.com' },
    list: 'NEWS',
    channels: ['email'],
    basis: 'explicit',
    ...more,
  }
  const [channel = 'email'] = message.channels
  const subscription = { id: 9, message, acceptedAt: at('12:00') }
  return whyNotSubscribe(channel, subscription, known(facts))?.code
}

const implied = { basis: 'implied' } as const
const consented = (time: string) => ({ consentedAt: { email: at(time).toISOString() } })
const hasLeft = 'PERSON_HAS_LEFT'
const phoneNumber = '+447400123456'
const withPhone = { email: 'Ada@example.com', phoneNumber }
const bob = { email: 'bob@example.com', phoneNumber }

type Row = [
  who: string,
  facts: Partial<KnownOfPerson>,
  message: Partial<SubscribeMessage>,
  code: string | undefined,
]

describe('Whether a person is subscribed', () => {
  it.each<Row>([
    ['whom nobody knows', {}, {}, undefined],
    ['whom nobody knows, along with an order', {}, implied, undefined],
    [
      'who is subscribed',
      { platform: [profile({ email: back(at('09:00')) })] },
      implied,
      undefined,
    ],
    [
      'who left before a form',
      { platform: [profile({ email: left(at('11:00')) })] },
      {},
      undefined,
    ],
    ['who left after a form', { platform: [profile({ email: left(at('12:30')) })] }, {}, hasLeft],
    [
      'who left at the very moment of the form',
      { platform: [profile({ email: left(at('12:00')) })] },
      {},
      hasLeft,
    ],
    [
      'who left, along with an order',
      { platform: [profile({ email: left(at('11:00')) })] },
      implied,
      hasLeft,
    ],
    [
      'who left nobody knows when, along with an order',
      { platform: [profile({ email: left() })] },
      implied,
      hasLeft,
    ],
    ['who left nobody knows when', { platform: [profile({ email: left() })] }, {}, undefined],
    [
      'who consented at the checkout after leaving',
      { platform: [profile({ email: left(at('11:00')) })] },
      consented('11:30'),
      undefined,
    ],
    [
      'who consented at the checkout before leaving',
      { platform: [profile({ email: left(at('11:45')) })] },
      consented('11:30'),
      hasLeft,
    ],
    [
      'who left the other channel',
      { platform: [profile({ sms: left(at('11:00')) })] },
      implied,
      undefined,
    ],
    [
      'who left texts, for texts along with an order',
      { platform: [profile({ sms: left(at('11:00')) })] },
      { ...implied, channels: ['sms'] },
      hasLeft,
    ],
    [
      'who left this list, along with an order',
      { platform: [profile({ leftLists: [{ list: 'NEWS', since: at('11:00') }] })] },
      implied,
      hasLeft,
    ],
    [
      'who left this list, but is subscribed to others, along with an order',
      {
        platform: [
          profile({ email: back(at('11:30')), leftLists: [{ list: 'NEWS', since: at('11:00') }] }),
        ],
      },
      implied,
      hasLeft,
    ],
    [
      'who left another list, along with an order',
      { platform: [profile({ leftLists: [{ list: 'OTHER', since: at('11:00') }] })] },
      implied,
      undefined,
    ],
    [
      'whose customer document says so, along with an order',
      { account: { email: left(at('11:00')), sms: never } },
      implied,
      hasLeft,
    ],
    [
      'whose customer document is older than what Klaviyo says',
      {
        account: { email: left(at('11:00')), sms: never },
        platform: [profile({ email: back(at('11:30')) })],
      },
      implied,
      undefined,
    ],
    [
      'whose customer document says so, while Klaviyo was never told',
      { account: { email: left(at('11:00')), sms: never }, platform: [profile({})] },
      implied,
      hasLeft,
    ],
    [
      'who left by a form that Klaviyo has not worked off, along with an order',
      { own: [own({})], platform: [profile({ email: back(at('09:00')) })] },
      implied,
      hasLeft,
    ],
    [
      'who came back at Klaviyo after leaving by a form',
      { own: [own({})], platform: [profile({ email: back(at('11:00')) })] },
      implied,
      undefined,
    ],
    [
      'who left by a form of which Klaviyo took note after the person came back',
      {
        own: [own({ acceptedAt: at('11:58'), sentAt: at('12:01') })],
        platform: [profile({ email: left(at('12:02')) })],
      },
      {},
      undefined,
    ],
    ...['USER_SUPPRESSED', 'SPAM_COMPLAINT'].map((source): Row => [
      `whom ${source} suppressed after the form, and right after they had left by another one`,
      {
        own: [own({ acceptedAt: at('11:58'), sentAt: at('12:01') })],
        platform: [profile({ email: { ...left(at('12:02')), source } })],
      },
      {},
      hasLeft,
    ]),
    [
      'who was suppressed after the form, before Klaviyo took note of an earlier leaving by a form',
      {
        own: [own({ acceptedAt: at('11:58'), sentAt: at('12:01') })],
        platform: [
          profile({
            email: { ...left(at('12:03')), source: 'UNSUBSCRIBE' },
            leftEmail: [
              { ...left(at('12:03')), source: 'UNSUBSCRIBE' },
              { ...left(at('12:02')), source: 'USER_SUPPRESSED' },
            ],
          }),
        ],
      },
      {},
      hasLeft,
    ],
    [
      'who left by a form after this one',
      { own: [own({ acceptedAt: at('12:01'), sentAt: undefined })] },
      {},
      hasLeft,
    ],
    [
      'who left texts by a form, for email along with an order',
      { own: [own({ channels: ['sms'] })] },
      implied,
      undefined,
    ],
    [
      'who was subscribed the same way two hours ago',
      { own: [own({ kind: 'subscribe', list: 'NEWS' })] },
      {},
      'ALREADY_SUBSCRIBED',
    ],
    [
      'who was subscribed to another list two hours ago',
      { own: [own({ kind: 'subscribe', list: 'OTHER' })] },
      {},
      undefined,
    ],
    [
      'whose subscription two hours ago was never sent',
      { own: [own({ kind: 'subscribe', list: 'NEWS', sentAt: undefined })] },
      {},
      undefined,
    ],
    [
      'who left since the subscription two hours ago',
      {
        own: [own({ kind: 'subscribe', list: 'NEWS' })],
        platform: [profile({ email: left(at('11:00')) })],
      },
      {},
      undefined,
    ],
    [
      'who left the email, while somebody else with the phone number came back',
      {
        platform: [
          profile({ email: left(at('10:00')) }),
          profile({ id: '01B', address: bob, email: back(at('11:00')) }),
        ],
      },
      { ...implied, profile: withPhone },
      hasLeft,
    ],
    [
      'whose phone number belongs to somebody who left email',
      {
        platform: [
          profile({ email: back(at('09:00')) }),
          profile({ id: '01B', address: bob, email: left(at('10:00')) }),
        ],
      },
      { ...implied, profile: withPhone },
      undefined,
    ],
    [
      'who stopped texts to the number, while the email had texts to another number',
      {
        platform: [
          profile({ sms: back(at('11:00')) }),
          profile({ id: '01B', address: bob, sms: left(at('10:00')) }),
        ],
      },
      { ...implied, profile: withPhone, channels: ['sms'] },
      hasLeft,
    ],
    [
      'of whose earlier subscription Klaviyo took note after the person had left by a form',
      {
        own: [
          own({
            kind: 'subscribe',
            basis: 'explicit',
            acceptedAt: at('11:50'),
            sentAt: at('11:50'),
          }),
          own({ acceptedAt: at('11:51'), sentAt: at('11:51') }),
        ],
        platform: [profile({ email: back(at('11:52')) })],
      },
      implied,
      hasLeft,
    ],
    [
      'who came back by a form of which Klaviyo took note',
      {
        own: [
          own({
            kind: 'subscribe',
            basis: 'explicit',
            acceptedAt: at('11:50'),
            sentAt: at('11:50'),
          }),
          own({ acceptedAt: at('11:51'), sentAt: at('11:51') }),
          own({
            kind: 'subscribe',
            basis: 'explicit',
            list: 'OTHER',
            acceptedAt: at('11:52'),
            sentAt: at('11:52'),
          }),
        ],
        platform: [profile({ email: back(at('11:53')) })],
      },
      implied,
      undefined,
    ],
    [
      'who stopped texts to the number by a form with another email',
      { own: [own({ channels: ['sms'], profile: bob })] },
      { ...implied, profile: withPhone, channels: ['sms'] },
      hasLeft,
    ],
    [
      'whose phone number somebody else left email with',
      { own: [own({ channels: ['email', 'sms'], profile: bob })] },
      { ...implied, profile: withPhone },
      undefined,
    ],
    [
      'for texts, whom Klaviyo would bring back to email',
      { platform: [profile({ email: left(at('11:00')) })] },
      { profile: withPhone, channels: ['sms'] },
      hasLeft,
    ],
    [
      'for texts, who consents to email as well',
      { platform: [profile({ email: left(at('11:00')) })] },
      { profile: withPhone, channels: ['sms', 'email'] },
      undefined,
    ],
    [
      'for texts, who consented to email before leaving it',
      { platform: [profile({ email: left(at('12:30')) })] },
      { profile: withPhone, channels: ['sms', 'email'] },
      hasLeft,
    ],
    [
      'whose order two hours ago subscribed no email, because the person had left',
      {
        own: [
          own({
            kind: 'subscribe',
            basis: 'implied',
            acceptedAt: at('11:00'),
            sentAt: at('11:00'),
          }),
        ],
        platform: [profile({ email: left(at('10:30')) })],
      },
      {},
      undefined,
    ],
    [
      'who came back by a form two hours ago, which Klaviyo has not worked off',
      {
        own: [
          own({
            kind: 'subscribe',
            basis: 'explicit',
            acceptedAt: at('11:00'),
            sentAt: at('11:00'),
          }),
        ],
        platform: [profile({ email: left(at('10:30')) })],
      },
      {},
      'ALREADY_SUBSCRIBED',
    ],
    [
      'who consents at the checkout two hours after a subscription',
      { own: [own({ kind: 'subscribe', list: 'NEWS' })] },
      consented('11:30'),
      undefined,
    ],
  ])('%s', (...[, facts, more, code]) => {
    expect(codeOf(facts, more)).toBe(code)
  })
})
