import { isSameEmail } from '../../core/people/email.js'
import type { Channel, SubscribeMessage, UnsubscribeMessage } from './message.js'
import type { KlaviyoError } from './call-answer.js'
import { reasonsOfOthers, type ChannelConsent, type ProfileConsents } from './find-consents.js'
import type { Profile } from './profile.js'

/** A subscription or the end of one that the outbox holds. */
export interface OwnSubscription {
  id: number
  message: SubscribeMessage | UnsubscribeMessage
  acceptedAt: Date
  /** Undefined when it was not sent. */
  sentAt: Date | undefined
}

/** What decides whether a subscription is sent. */
export interface PersonFacts {
  /** What Klaviyo says of the profiles with the email and with the phone number. */
  klaviyo: readonly ProfileConsents[]
  /** What the customer's document says. */
  account: Readonly<Record<Channel, ChannelConsent>> | undefined
  /** Our subscriptions with the email or with the phone number, the earliest first. */
  own: readonly OwnSubscription[]
}

type Subscription = Pick<OwnSubscription, 'id' | 'acceptedAt'> & { message: SubscribeMessage }

const minute = 60_000

/** How long after a call of ours Klaviyo may note it, because it carries out such calls later. */
const noteWithinMs = 10 * minute

/** How long the same subscription is a repeat: a list with double opt-in would send a second email. */
const repeatMs = 24 * 60 * minute

/** Why the channel of a subscription must not be subscribed, if so: the table in `docs/decisions/0010-consent.md`. */
export function whyNotSubscribe(
  channel: Channel,
  subscription: Subscription,
  given: PersonFacts,
): KlaviyoError | undefined {
  const { id, message, acceptedAt } = subscription
  const facts = { ...given, own: inOrderOfStorage(given.own, subscription) }
  const leaving = leavingOf(channel, message, facts)
  const isAllowed = mayBeSubscribed(leaving, channel, subscription)
  if (!isAllowed || (channel === 'sms' && liftsEmail(subscription, facts))) return hasLeft
  if (message.consentedAt !== undefined) return undefined
  const earlier = facts.own.some(
    (own) =>
      own.message.kind === 'subscribe' &&
      own.id < id &&
      own.sentAt !== undefined &&
      own.message.list === message.list &&
      isAbout(own, channel, message.profile) &&
      own.acceptedAt.getTime() > acceptedAt.getTime() - repeatMs &&
      (leaving === undefined || givenAt(own, channel) > leaving.at) &&
      mayBeSubscribed(leaving, channel, own),
  )
  return earlier ? isRepeated : undefined
}

/** Whether a person was subscribed again after they had asked to leave a channel. */
export const hasComeBack = (
  channel: Channel,
  {
    id,
    message,
    acceptedAt,
  }: Pick<OwnSubscription, 'id' | 'acceptedAt'> & { message: UnsubscribeMessage },
  own: readonly OwnSubscription[],
): boolean =>
  own.some(
    (one) =>
      one.message.kind === 'subscribe' &&
      one.id > id &&
      one.sentAt !== undefined &&
      isAbout(one, channel, message.profile) &&
      givenAt(one, channel) > acceptedAt,
  )

export const personIsBack: KlaviyoError = {
  code: 'PERSON_IS_BACK',
  detail: 'The person has subscribed again since.',
}

/**
 * Gives what was stored earlier an earlier moment, too. Two posts may come within one millisecond, and the
 * process that took the first may have a clock that is ahead.
 *
 * @param all The earliest first.
 */
function inOrderOfStorage(all: readonly OwnSubscription[], last: Subscription): OwnSubscription[] {
  if (last.message.consentedAt !== undefined) return [...all]
  let next = last.acceptedAt.getTime()
  const ordered = all.toReversed().map((own) => {
    const isGivenElsewhere = 'consentedAt' in own.message && own.message.consentedAt !== undefined
    if (own.id >= last.id || isGivenElsewhere) return own
    next = Math.min(own.acceptedAt.getTime(), next - 1)
    return { ...own, acceptedAt: new Date(next) }
  })
  return ordered.toReversed()
}

const hasLeft: KlaviyoError = {
  code: 'PERSON_HAS_LEFT',
  detail: 'The person has unsubscribed, and has given no new consent since.',
}

const isRepeated: KlaviyoError = {
  code: 'ALREADY_SUBSCRIBED',
  detail: 'The same subscription was sent within the last 24 hours.',
}

/** When a person last left, and whether they have come back since. */
interface Leaving {
  at: Date
  isOver: boolean
}

/** Whether a person has not left, has come back, or has explicitly consented since they left. */
const mayBeSubscribed = (leaving: Leaving | undefined, channel: Channel, own: Given): boolean =>
  leaving === undefined ||
  leaving.isOver ||
  ('basis' in own.message && own.message.basis === 'explicit' && givenAt(own, channel) > leaving.at)

/** Klaviyo lifts the email suppressions of everybody whom it subscribes, even if only to texts. */
function liftsEmail(subscription: Subscription, facts: PersonFacts): boolean {
  const leaving = leavingOf('email', subscription.message, facts)
  return subscription.message.channels.includes('email')
    ? !mayBeSubscribed(leaving, 'email', subscription)
    : leaving?.isOver === false
}

type Given = Pick<OwnSubscription, 'message' | 'acceptedAt'>

function givenAt({ message, acceptedAt }: Given, channel: Channel): Date {
  const at = 'consentedAt' in message ? message.consentedAt?.[channel] : undefined
  return at === undefined ? acceptedAt : new Date(at)
}

/** How the person left the channel or the list; undefined when they have not. */
function leavingOf(
  channel: Channel,
  { profile, list }: SubscribeMessage,
  { klaviyo, account, own }: PersonFacts,
): Leaving | undefined {
  const ours = own.filter((each) => isAbout(each, channel, profile))
  const profiles = profilesOf(channel, profile, klaviyo)
  const answered = profiles
    .flatMap((each) => consentsOf(each, channel))
    .filter(({ status }) => status !== 'never')
  // The customer's document follows Klaviyo, so it counts only where Klaviyo knows nothing.
  const statuses = answered.length > 0 || account === undefined ? answered : [account[channel]]
  const moments = (wanted: ChannelConsent['status'], kind: Given['message']['kind']) =>
    statuses
      .filter(({ status }) => status === wanted)
      .map((consent) =>
        askedAt(
          consent,
          channel,
          ours.filter(({ message }) => message.kind === kind),
        ),
      )
  const left = [
    ...moments('unsubscribed', 'unsubscribe'),
    ...ours.flatMap(({ message, acceptedAt }) =>
      message.kind === 'unsubscribe' ? acceptedAt : [],
    ),
  ]
  const lists = profiles.flatMap(({ leftLists }) => (channel === 'email' ? leftLists : []))
  const leftList = lists.filter((each) => each.list === list).map(({ since }) => since)
  const all = [...left, ...leftList]
  if (all.length === 0) return undefined
  const isBack = latest(moments('subscribed', 'subscribe')) > latest(left)
  return { at: new Date(latest(all)), isOver: isBack && leftList.length === 0 }
}

/** The profile with the identifier of the channel decides, as people share phone numbers; if there is none, all do. */
function profilesOf(
  channel: Channel,
  { email, phoneNumber }: Profile,
  klaviyo: PersonFacts['klaviyo'],
): PersonFacts['klaviyo'] {
  const named = klaviyo.filter(({ address }) =>
    channel === 'email' ? isSameEmail(address.email, email) : address.phoneNumber === phoneNumber,
  )
  return named.length > 0 ? named : klaviyo
}

/** Each suppression counts on its own: the latest one may come from a call of ours, and another one not. */
const consentsOf = (profile: ProfileConsents, channel: Channel): readonly ChannelConsent[] =>
  channel === 'email' && profile.leftEmail.length > 0 ? profile.leftEmail : [profile[channel]]

/** Whether a message of ours is about this channel of this person. */
const isAbout = ({ message }: Given, channel: Channel, { email, phoneNumber }: Profile): boolean =>
  message.channels.includes(channel) &&
  (isSameEmail(message.profile.email, email) ||
    (channel === 'sms' && message.profile.phoneNumber === phoneNumber))

/** When the person asked for it. Klaviyo carries out a call of ours later, so then its moment is too late. */
function askedAt(
  { since: at, source }: ChannelConsent,
  channel: Channel,
  ours: readonly OwnSubscription[],
): Date | undefined {
  if (reasonsOfOthers.includes(source)) return at
  const cause = ours.findLast(
    ({ acceptedAt, sentAt }) =>
      at !== undefined &&
      at >= acceptedAt &&
      sentAt !== undefined &&
      at.getTime() <= sentAt.getTime() + noteWithinMs,
  )
  return cause === undefined ? at : givenAt(cause, channel)
}

/** An unknown moment counts as long ago, because a new consent is certainly later. */
const latest = (moments: readonly (Date | undefined)[]): number =>
  Math.max(-1, ...moments.map((at) => at?.getTime() ?? 0))
