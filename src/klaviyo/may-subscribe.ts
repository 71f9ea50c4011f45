import type { ChannelConsent, ProfileConsents } from './profile-consents.js'
import type { Channel, SubscribeMessage } from './message.js'
import type { PlatformError } from './platform.js'

/** A subscription or the end of one that the outbox holds. */
export interface OwnSubscription {
  id: number
  kind: 'subscribe' | 'unsubscribe'
  list: string | undefined
  channels: readonly Channel[]
  acceptedAt: Date
  /** Undefined when it was not sent. */
  sentAt: Date | undefined
}

/** What is known of a person when a subscription is about to be sent. */
export interface KnownOfPerson {
  /** What Klaviyo says of the profiles with the email and with the phone number. */
  platform: readonly ProfileConsents[]
  /** What the customer's document says. */
  account: Readonly<Record<Channel, ChannelConsent>> | undefined
  own: readonly OwnSubscription[]
}

interface Subscription {
  id: number
  message: SubscribeMessage
  acceptedAt: Date
}

const minute = 60_000

/** How long after our own call Klaviyo may note that the person left: it works such calls off later. */
const noteWithinMs = 10 * minute

/** How long the same subscription is a repeat: a list with double opt-in would send a second email. */
const repeatMs = 24 * 60 * minute

/**
 * Why the channel of a subscription must not be subscribed; undefined when it may be. The table is in
 * `docs/decisions/0022-consent.md`.
 */
export function whyNotSubscribe(
  channel: Channel,
  { id, message, acceptedAt }: Subscription,
  known: KnownOfPerson,
): PlatformError | undefined {
  const { list, basis, consentedAt } = message
  const left = leftAt(channel, list, known)
  const givenAt = consentedAt?.[channel] === undefined ? acceptedAt : new Date(consentedAt[channel])
  if (left !== undefined && (basis !== 'explicit' || givenAt <= left)) return hasLeft
  if (consentedAt !== undefined) return undefined
  const earlier = known.own.some(
    (own) =>
      own.kind === 'subscribe' &&
      own.id < id &&
      own.sentAt !== undefined &&
      own.list === list &&
      own.channels.includes(channel) &&
      own.acceptedAt.getTime() > acceptedAt.getTime() - repeatMs &&
      (left === undefined || left < own.acceptedAt),
  )
  return earlier ? isRepeated : undefined
}

const hasLeft: PlatformError = {
  code: 'PERSON_HAS_LEFT',
  detail: 'The person has unsubscribed, and has given no new consent since.',
}

const isRepeated: PlatformError = {
  code: 'ALREADY_SUBSCRIBED',
  detail: 'The same subscription was sent within the last 24 hours.',
}

/** When the person left the channel or the list; undefined when they have not, or have come back since. */
function leftAt(
  channel: Channel,
  list: string,
  { platform, account, own }: KnownOfPerson,
): Date | undefined {
  const ours = own.filter(
    ({ kind, channels }) => kind === 'unsubscribe' && channels.includes(channel),
  )
  const told = platform
    .map((profile) => profile[channel])
    .filter(({ status }) => status !== 'never')
  // The customer's document follows Klaviyo, so it counts only where Klaviyo knows nothing.
  const statuses = told.length > 0 || account === undefined ? told : [account[channel]]
  const moments = (status: ChannelConsent['status']) =>
    statuses.filter((each) => each.status === status).map(({ since }) => since)
  const left = [
    ...moments('unsubscribed').map((at) => askedAt(at, ours)),
    ...ours.map(({ acceptedAt }) => acceptedAt),
  ]
  const lists = platform.flatMap(({ leftLists }) => (channel === 'email' ? leftLists : []))
  const leftList = lists
    .filter((each) => each.list === list)
    .map(({ since }) => askedAt(since, ours))
  const isBack = left.length > 0 && latest(moments('subscribed')) > latest(left)
  const all = isBack ? leftList : [...left, ...leftList]
  return all.length === 0 ? undefined : new Date(latest(all))
}

/** Klaviyo notes our own call when it works it off. The person asked for it before. */
function askedAt(at: Date | undefined, ours: readonly OwnSubscription[]): Date | undefined {
  const cause = ours.find(
    ({ acceptedAt, sentAt }) =>
      at !== undefined &&
      at >= acceptedAt &&
      sentAt !== undefined &&
      at.getTime() <= sentAt.getTime() + noteWithinMs,
  )
  return cause?.acceptedAt ?? at
}

/** A moment that nobody knows counts as long ago: a new consent is certainly later. */
const latest = (moments: readonly (Date | undefined)[]): number =>
  Math.max(-1, ...moments.map((at) => at?.getTime() ?? 0))
