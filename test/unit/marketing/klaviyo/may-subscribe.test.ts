import { describe, expect, it } from 'vitest'
import type {
  ChannelConsent,
  ProfileConsents,
} from '../../../../src/marketing/klaviyo/find-consents.js'
import {
  whyNotSubscribe,
  type PersonFacts,
  type OwnSubscription,
} from '../../../../src/marketing/klaviyo/may-subscribe.js'
import type { SubscribeMessage } from '../../../../src/marketing/klaviyo/message.js'

const at = (time: string) => new Date(`2026-03-10T${time}:00Z`)

const never: ChannelConsent = { status: 'never', since: undefined, source: '' }
const left = (since?: string): ChannelConsent => ({
  status: 'unsubscribed',
  since: since === undefined ? undefined : at(since),
  source: '',
})
const back = (since: string): ChannelConsent => ({
  status: 'subscribed',
  since: at(since),
  source: '',
})

const profile = (consents: Partial<ProfileConsents>): ProfileConsents => ({
  id: '01A',
  address: { email: 'ada@example.com' },
  email: never,
  sms: never,
  leftEmail: [],
  suppressions: [],
  leftLists: [],
  ...consents,
})

/** What Klaviyo says of the person. */
const klaviyo = (consents: Partial<ProfileConsents>) => ({ klaviyo: [profile(consents)] })

type Own = Partial<Pick<OwnSubscription, 'id' | 'sentAt'>> &
  Partial<Pick<SubscribeMessage, 'basis' | 'channels' | 'list' | 'profile'>>

/** What the outbox holds of a form. It was sent at once, unless the test says otherwise. */
function own(kind: 'subscribe' | 'unsubscribe', acceptedAt: Date, more: Own): OwnSubscription {
  const { id, sentAt, ...message } = {
    // The subscription in question was stored at noon, with the id 9.
    id: acceptedAt > at('12:00') ? 10 : 1,
    kind,
    profile: { email: 'ada@example.com' },
    list: 'NEWS',
    channels: ['email'],
    sentAt: acceptedAt,
    ...more,
  }
  return { id, message: message as OwnSubscription['message'], acceptedAt, sentAt }
}
const leftByForm = (time: string, more: Own = {}) => own('unsubscribe', at(time), more)
const subscribed = (time: string, more: Own = {}) => own('subscribe', at(time), more)

const known = (more: Partial<PersonFacts> = {}): PersonFacts => ({
  klaviyo: [],
  account: undefined,
  own: [],
  ...more,
})

/** What happens to a subscription that was accepted at noon. */
function codeOf(facts: Partial<PersonFacts>, more: Partial<SubscribeMessage> = {}) {
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

type Row = [who: string, facts: Partial<PersonFacts>, code: string | undefined]

describe('Whether a person is subscribed', () => {
  it.each<Row>([
    ['whom nobody knows', {}, undefined],
    ['who left before a form', klaviyo({ email: left('11:00') }), undefined],
    ['who left after a form', klaviyo({ email: left('12:30') }), hasLeft],
    ['who left at the very moment of the form', klaviyo({ email: left('12:00') }), hasLeft],
    ['who left nobody knows when', klaviyo({ email: left() }), undefined],
    [
      'who left by a form of which Klaviyo took note after the person came back',
      { own: [leftByForm('11:58', { sentAt: at('12:01') })], ...klaviyo({ email: left('12:02') }) },
      undefined,
    ],
    [
      'who left by a form of the same millisecond that was stored before',
      { own: [leftByForm('12:00')], ...klaviyo({ email: left('12:00') }) },
      undefined,
    ],
    [
      'who left by a form that was stored before, by a clock that was ahead',
      {
        own: [leftByForm('13:00', { id: 8, sentAt: at('12:01') })],
        ...klaviyo({ email: left('12:01') }),
      },
      undefined,
    ],
    ...['USER_SUPPRESSED', 'SPAM_COMPLAINT'].map((source): Row => [
      `whom ${source} suppressed after the form, and right after they had left by another one`,
      {
        own: [leftByForm('11:58', { sentAt: at('12:01') })],
        ...klaviyo({ email: { ...left('12:02'), source } }),
      },
      hasLeft,
    ]),
    [
      'who was suppressed after the form, before Klaviyo took note of an earlier leaving by a form',
      {
        own: [leftByForm('11:58', { sentAt: at('12:01') })],
        ...klaviyo({
          email: { ...left('12:03'), source: 'UNSUBSCRIBE' },
          leftEmail: [
            { ...left('12:03'), source: 'UNSUBSCRIBE' },
            { ...left('12:02'), source: 'USER_SUPPRESSED' },
          ],
        }),
      },
      hasLeft,
    ],
    [
      'who left by a form after this one',
      { own: [leftByForm('12:01', { sentAt: undefined })] },
      hasLeft,
    ],
    [
      'who was subscribed the same way two hours ago',
      { own: [subscribed('10:00')] },
      'ALREADY_SUBSCRIBED',
    ],
    [
      'who was subscribed to another list two hours ago',
      { own: [subscribed('10:00', { list: 'OTHER' })] },
      undefined,
    ],
    [
      'whose subscription two hours ago was never sent',
      { own: [subscribed('10:00', { sentAt: undefined })] },
      undefined,
    ],
    [
      'who left since the subscription two hours ago',
      { own: [subscribed('10:00')], ...klaviyo({ email: left('11:00') }) },
      undefined,
    ],
    [
      'whose order two hours ago subscribed no email, because the person had left',
      { own: [subscribed('11:00', { basis: 'implied' })], ...klaviyo({ email: left('10:30') }) },
      undefined,
    ],
    [
      'who came back by a form two hours ago, which Klaviyo has not worked off',
      { own: [subscribed('11:00', { basis: 'explicit' })], ...klaviyo({ email: left('10:30') }) },
      'ALREADY_SUBSCRIBED',
    ],
  ])('by a form: %s', (...[, facts, code]) => {
    expect(codeOf(facts)).toBe(code)
  })

  it.each<Row>([
    ['whom nobody knows', {}, undefined],
    ['who is subscribed', klaviyo({ email: back('09:00') }), undefined],
    ['who left', klaviyo({ email: left('11:00') }), hasLeft],
    ['who left nobody knows when', klaviyo({ email: left() }), hasLeft],
    ['who left the other channel', klaviyo({ sms: left('11:00') }), undefined],
    ['who left this list', klaviyo({ leftLists: [{ list: 'NEWS', since: at('11:00') }] }), hasLeft],
    [
      'who left this list, but is subscribed to others',
      klaviyo({ email: back('11:30'), leftLists: [{ list: 'NEWS', since: at('11:00') }] }),
      hasLeft,
    ],
    [
      'who left another list',
      klaviyo({ leftLists: [{ list: 'OTHER', since: at('11:00') }] }),
      undefined,
    ],
    ['whose customer document says so', { account: { email: left('11:00'), sms: never } }, hasLeft],
    [
      'whose customer document is older than what Klaviyo says',
      { account: { email: left('11:00'), sms: never }, ...klaviyo({ email: back('11:30') }) },
      undefined,
    ],
    [
      'whose customer document says so, while Klaviyo was never told',
      { account: { email: left('11:00'), sms: never }, ...klaviyo({}) },
      hasLeft,
    ],
    [
      'who left by a form that Klaviyo has not worked off',
      { own: [leftByForm('10:00')], ...klaviyo({ email: back('09:00') }) },
      hasLeft,
    ],
    [
      'who came back at Klaviyo after leaving by a form',
      { own: [leftByForm('10:00')], ...klaviyo({ email: back('11:00') }) },
      undefined,
    ],
    [
      'who left texts by a form, for email',
      { own: [leftByForm('10:00', { channels: ['sms'] })] },
      undefined,
    ],
    [
      'of whose earlier subscription Klaviyo took note after the person had left by a form',
      {
        own: [subscribed('11:50', { basis: 'explicit' }), leftByForm('11:51')],
        ...klaviyo({ email: back('11:52') }),
      },
      hasLeft,
    ],
    [
      'who came back by a form of which Klaviyo took note',
      {
        own: [
          subscribed('11:50', { basis: 'explicit' }),
          leftByForm('11:51'),
          subscribed('11:52', { basis: 'explicit', list: 'OTHER' }),
        ],
        ...klaviyo({ email: back('11:53') }),
      },
      undefined,
    ],
  ])('along with an order: %s', (...[, facts, code]) => {
    expect(codeOf(facts, implied)).toBe(code)
  })

  it.each<[...Row, message: Partial<SubscribeMessage>]>([
    [
      'who consented at the checkout after leaving',
      klaviyo({ email: left('11:00') }),
      undefined,
      consented('11:30'),
    ],
    [
      'who consented at the checkout before leaving',
      klaviyo({ email: left('11:45') }),
      hasLeft,
      consented('11:30'),
    ],
    [
      'who left texts, for texts along with an order',
      klaviyo({ sms: left('11:00') }),
      hasLeft,
      { ...implied, channels: ['sms'] },
    ],
    [
      'who left the email, while somebody else with the phone number came back',
      {
        klaviyo: [
          profile({ email: left('10:00') }),
          profile({ id: '01B', address: bob, email: back('11:00') }),
        ],
      },
      hasLeft,
      { ...implied, profile: withPhone },
    ],
    [
      'whose phone number belongs to somebody who left email',
      {
        klaviyo: [
          profile({ email: back('09:00') }),
          profile({ id: '01B', address: bob, email: left('10:00') }),
        ],
      },
      undefined,
      { ...implied, profile: withPhone },
    ],
    [
      'who stopped texts to the number, while the email had texts to another number',
      {
        klaviyo: [
          profile({ sms: back('11:00') }),
          profile({ id: '01B', address: bob, sms: left('10:00') }),
        ],
      },
      hasLeft,
      { ...implied, profile: withPhone, channels: ['sms'] },
    ],
    [
      'who stopped texts to the number by a form with another email',
      { own: [leftByForm('10:00', { channels: ['sms'], profile: bob })] },
      hasLeft,
      { ...implied, profile: withPhone, channels: ['sms'] },
    ],
    [
      'whose phone number somebody else left email with',
      { own: [leftByForm('10:00', { channels: ['email', 'sms'], profile: bob })] },
      undefined,
      { ...implied, profile: withPhone },
    ],
    [
      'for texts, whom Klaviyo would bring back to email',
      klaviyo({ email: left('11:00') }),
      hasLeft,
      { profile: withPhone, channels: ['sms'] },
    ],
    [
      'for texts, who consents to email as well',
      klaviyo({ email: left('11:00') }),
      undefined,
      { profile: withPhone, channels: ['sms', 'email'] },
    ],
    [
      'for texts, who consented to email before leaving it',
      klaviyo({ email: left('12:30') }),
      hasLeft,
      { profile: withPhone, channels: ['sms', 'email'] },
    ],
    [
      'who consents at the checkout two hours after a subscription',
      { own: [subscribed('10:00')] },
      undefined,
      consented('11:30'),
    ],
  ])('%s', (...[, facts, code, message]) => {
    expect(codeOf(facts, message)).toBe(code)
  })
})
