import type { DocumentId } from '../../core/database/document-id.js'
import type { NewSend } from '../delivery/send.js'
import type { Effects } from '../../core/effects.js'
import type { LeaveOut } from '../klaviyo/left-out.js'
import type { Channel, Message, SubscribeMessage } from '../klaviyo/message.js'
import type { OrderDetails } from '../feeds/subject-details.js'
import type { Profile } from '../klaviyo/profile.js'
import { backInStockKey, dedupeKey, uniqueKey } from '../klaviyo/send-key.js'
import type { AskedVariant } from './back-in-stock.js'
import type { PostedEvent } from './event-parameters.js'
import type { PostedLists } from './list-parameters.js'

export interface ReadPost {
  /** The posted values and those of the account. */
  profile: Profile
  /** Only the posted values, as consent covers nothing else. */
  posted: Profile
  /** The visitor's account, unless the posted email is another one. */
  account?: DocumentId | undefined
  event: PostedEvent | undefined
  order: OrderDetails | undefined
  lists: PostedLists
  asked?: AskedVariant | undefined
  /** Whether the form is about the consent itself, or it came along with an order. Default: explicit. */
  basis?: SubscribeMessage['basis']
}

interface Acceptance {
  now: Date
  /** The dedupe window: within these minutes, the same post again is a repeat. */
  dedupeMinutes: number
  /** Whether Klaviyo is asked before a subscription is sent; repeats are then recognised there too. */
  followUnsubscribes: boolean
  leaveOut: LeaveOut
  effects: Pick<Effects, 'uuid'>
}

/**
 * `docs/interface.md` (Event). An event includes the profile, and the sends about lists come after the one that creates
 * it.
 */
export function sendsOfPost(post: ReadPost, acceptance: Acceptance): NewSend[] {
  const subscription = unsubscriptionOf(post, acceptance) ?? subscriptionOf(post, acceptance)
  const orderEvent = eventForCustomer(post, acceptance)
  const waiting = backInStockOf(post)
  if (!canBeSent(post.profile, [...(subscription ?? []), ...waiting])) return orderEvent
  const messages = [...(subscription ?? listAdds(post)), ...waiting]
  const { account } = post
  return [
    { ...firstSend(post, acceptance), account },
    ...orderEvent,
    ...messages.map((message) => ({ ...sendOf(message, acceptance), account })),
  ]
}

function sendOf(message: Message, acceptance: Acceptance): NewSend {
  // Somebody may leave and come back within minutes, which is no repeat.
  if (message.kind === 'back-in-stock')
    return { message, key: backInStockKey(message), acceptedAt: acceptance.now }
  const isCompared = message.kind !== 'unsubscribe' && !('basis' in message)
  const key = isCompared
    ? dedupeKey(message, acceptance)
    : { key: uniqueKey(message.kind, acceptance.effects) }
  return { message, ...key, acceptedAt: acceptance.now }
}

/** A send needs an email. A post that subscribes, or waits for a product, may have a phone number instead. */
const canBeSent = ({ email }: Profile, asked: readonly Message[]): boolean =>
  email !== undefined || asked.length > 0

/** One send is for the profile and the event, unless the order has a customer. */
function firstSend({ profile, event, order }: ReadPost, acceptance: Acceptance): NewSend {
  if (event !== undefined && order?.customer === undefined) {
    return eventSend({ profile, event, order }, acceptance)
  }
  return sendOf({ kind: 'identify', profile }, acceptance)
}

/** The event of an order with a customer is sent for that customer, not for the posted profile. */
function eventForCustomer({ event, order }: ReadPost, acceptance: Acceptance): NewSend[] {
  const customer = order?.customer
  if (event === undefined || customer === undefined) return []
  return [
    { ...eventSend({ profile: customer, event, order }, acceptance), account: order?.account },
  ]
}

function eventSend(
  { profile, event: posted, order }: Pick<ReadPost, 'profile' | 'order'> & { event: PostedEvent },
  acceptance: Acceptance,
): NewSend {
  const { name, uniqueId, time, value, valueCurrency, properties } = { ...posted, ...order }
  const own = {
    name,
    ...(uniqueId !== undefined && { uniqueId }),
    ...(time !== undefined && { time }),
    ...(value !== undefined && { value }),
    ...(valueCurrency !== undefined && { valueCurrency }),
    properties,
  }
  // An order event without an id of its own is a new one on every post (`docs/interface.md` (Order event)).
  const isNewEachTime = order !== undefined && uniqueId === undefined
  const key = isNewEachTime
    ? { key: uniqueKey('event', acceptance.effects) }
    : dedupeKey({ kind: 'event', profile, event: own }, acceptance)
  // The key is the event's id: a retry and a repeat within the dedupe window keep it, and a later post
  // gets another one.
  const event = { ...own, uniqueId: uniqueId ?? key.key }
  return { message: { kind: 'event', profile, event }, ...key, acceptedAt: acceptance.now }
}

function listAdds({ profile: { email }, lists }: ReadPost): Message[] {
  if (email === undefined) return []
  return lists.lists.map((list) => ({ kind: 'list-add', profile: { email }, list }))
}

/** Undefined when the post does not subscribe. Consent covers only the posted email and phone number. */
function subscriptionOf(
  post: ReadPost,
  { followUnsubscribes, leaveOut }: Acceptance,
): Message[] | undefined {
  const { posted, lists, basis = 'explicit' } = post
  if (!lists.isSubscription) return undefined
  const channels = channelsOf(posted)
  if (channels.length === 0) {
    if (lists.lists.length > 0) leaveOut('subscribe', 'no email or phone number was posted')
    return []
  }
  const profile = identifiersOf(post)
  const asked = followUnsubscribes && { basis }
  return lists.lists.map((list) => ({ kind: 'subscribe', profile, list, channels, ...asked }))
}

const channelsOf = ({ email, phoneNumber }: Profile): Channel[] => [
  ...(email === undefined ? [] : (['email'] as const)),
  ...(phoneNumber === undefined ? [] : (['sms'] as const)),
]

/** The posted channels; without any, the email of the visitor's account. */
export function ownChannels({ profile, posted }: Pick<ReadPost, 'profile' | 'posted'>): Channel[] {
  const channels = channelsOf(posted)
  return channels.length > 0 || profile.email === undefined ? channels : ['email']
}

const identifiersOf = ({
  profile: { email },
  posted: { phoneNumber },
}: Pick<ReadPost, 'profile' | 'posted'>): Profile => ({
  ...(email !== undefined && { email }),
  ...(phoneNumber !== undefined && { phoneNumber }),
})

const backInStockOf = (post: ReadPost): Message[] =>
  post.asked === undefined
    ? []
    : [
        {
          kind: 'back-in-stock',
          profile: identifiersOf(post),
          ...post.asked,
          channels: ownChannels(post),
        },
      ]

/** Undefined when the post does not unsubscribe. Without a posted channel, a visitor leaves the account's email. */
function unsubscriptionOf(post: ReadPost, { leaveOut }: Acceptance): Message[] | undefined {
  if (!post.lists.isUnsubscription) return undefined
  const channels = ownChannels(post)
  if (channels.length === 0) {
    leaveOut('subscribe', 'no email or phone number was posted')
    return []
  }
  return [{ kind: 'unsubscribe', profile: identifiersOf(post), channels }]
}
