import type { NewSend } from '../../delivery/send.js'
import type { LeaveOut } from '../../marketing/left-out.js'
import type { Channel, EventMessage, Message } from '../../marketing/message.js'
import type { OrderDetails } from '../../marketing/order-details.js'
import type { Profile } from '../../marketing/profile.js'
import { anotherKey, foldingKey, uniqueKey } from '../../marketing/send-key.js'
import type { PostedEvent } from './event-parameters.js'
import type { PostedLists } from './list-parameters.js'

/** Everything that a post says, read. */
export interface ReadPost {
  /** With the account's values. */
  profile: Profile
  /** Only what was posted: consent is given for nothing else. */
  posted: Profile
  event: PostedEvent | undefined
  /** For an event about an order. */
  order: OrderDetails | undefined
  lists: PostedLists
}

export interface Acceptance {
  now: Date
  /** Minutes in which the same post again is a repeat. */
  foldMinutes: number
  leaveOut: LeaveOut
}

/**
 * What the platform is to be told because of a post (`interface.md`, Events). An event carries the
 * profile with it; lists wait for the send that makes the profile.
 */
export function sendsOfPost(post: ReadPost, acceptance: Acceptance): NewSend[] {
  const subscription = subscriptionOf(post, acceptance.leaveOut)
  const orderEvent = eventForCustomer(post, acceptance)
  if (!canBeTold(post.profile, subscription)) return orderEvent
  const first = firstSend(post, acceptance)
  const messages = subscription ?? listAdds(post)
  return [
    first,
    ...orderEvent,
    ...messages.map((message) => ({
      message,
      ...foldingKey(message, acceptance),
      after: first.key,
      acceptedAt: acceptance.now,
    })),
  ]
}

/** A person is known by an email; a post that subscribes may use a phone number alone. */
const canBeTold = ({ email }: Profile, subscription: Message[] | undefined): boolean =>
  email !== undefined || (subscription !== undefined && subscription.length > 0)

/** Creates or updates the profile; with an event of its own in the same send. */
function firstSend({ profile, event, order }: ReadPost, acceptance: Acceptance): NewSend {
  if (event !== undefined && order?.customer === undefined) {
    return eventSend({ profile, event, order }, acceptance)
  }
  const message: Message = { kind: 'identify', profile }
  const key = foldingKey(message, acceptance)
  return {
    message,
    ...key,
    otherwise: { key: anotherKey(key.key), message },
    acceptedAt: acceptance.now,
  }
}

/** An order's event goes to the order's customer instead of the posted profile. */
function eventForCustomer({ event, order }: ReadPost, acceptance: Acceptance): NewSend[] {
  const customer = order?.customer
  if (event === undefined || customer === undefined) return []
  return [eventSend({ profile: customer, event, order }, acceptance)]
}

function eventSend(
  { profile, event, order }: Pick<ReadPost, 'profile' | 'order'> & { event: PostedEvent },
  acceptance: Acceptance,
): NewSend {
  const { name, uniqueId, time, value, valueCurrency, properties } = { ...event, ...order }
  const told = {
    name,
    ...(uniqueId !== undefined && { uniqueId }),
    ...(time !== undefined && { time }),
    ...(value !== undefined && { value }),
    ...(valueCurrency !== undefined && { valueCurrency }),
    properties,
  }
  // An order event without an id of its own is a new one on every post (`interface.md`, Events).
  const isNewEachTime = order !== undefined && uniqueId === undefined
  const key = isNewEachTime
    ? { key: uniqueKey('event') }
    : foldingKey({ kind: 'event', profile, event: told }, acceptance)
  // A retry of the send and a repeat that is folded into it are the same occurrence, and a later
  // post is another one: just as with the key.
  const messageWith = (key: string): EventMessage => ({
    kind: 'event',
    profile,
    event: { ...told, uniqueId: uniqueId ?? key },
  })
  const otherKey = anotherKey(key.key)
  return {
    message: messageWith(key.key),
    ...key,
    otherwise: { key: otherKey, message: messageWith(otherKey) },
    acceptedAt: acceptance.now,
  }
}

function listAdds({ profile: { email }, lists }: ReadPost): Message[] {
  if (email === undefined) return []
  return lists.lists.map((list) => ({ kind: 'list-add', profile: { email }, list }))
}

/** The subscriptions of a post that asks for them, with consent for what was posted alone. */
function subscriptionOf(
  { profile: { email }, posted, lists }: ReadPost,
  leaveOut: LeaveOut,
): Message[] | undefined {
  if (!lists.isSubscription) return undefined
  const channels: Channel[] = [
    ...(posted.email === undefined ? [] : (['email'] as const)),
    ...(posted.phoneNumber === undefined ? [] : (['sms'] as const)),
  ]
  if (channels.length === 0) {
    if (lists.lists.length > 0) leaveOut('subscribe', 'no email or phone number was posted')
    return []
  }
  const profile: Profile = {
    ...(email !== undefined && { email }),
    ...(posted.phoneNumber !== undefined && { phoneNumber: posted.phoneNumber }),
  }
  return lists.lists.map((list) => ({ kind: 'subscribe', profile, list, channels }))
}
