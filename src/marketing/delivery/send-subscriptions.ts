import { groupBy } from '../../core/group-by.js'
import { profileKey } from '../../core/people/profile-key.js'
import type { Shop } from '../../core/shop.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import type { Klaviyo } from '../klaviyo/klaviyo.js'
import {
  hasComeBack,
  personIsBack,
  whyNotSubscribe,
  type PersonFacts,
  type OwnSubscription,
} from '../klaviyo/may-subscribe.js'
import type { SubscribeMessage, UnsubscribeMessage } from '../klaviyo/message.js'
import type { Profile } from '../klaviyo/profile.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import { isItemOf, mergeSends, split, type CallItem } from './call-item.js'
import type { PlannedCalls } from './call-planner.js'
import type { DeliveryStore } from './delivery-store.js'
import type { ItemCalls } from './item-calls.js'
import { isRepeat, type Send } from './send.js'

/** What the customers' documents say about people, by `profileKey`. */
export type AccountConsents = (
  profiles: readonly Profile[],
) => Promise<ReadonlyMap<string, PersonFacts['account']>>

/** Sends subscriptions and their ends, as far as the people have not changed their minds since. */
export function createSendSubscriptions(
  { waits }: Pick<Shop, 'waits'>,
  {
    klaviyo,
    store,
    accountConsents,
    settings,
    calls,
  }: {
    klaviyo: Klaviyo
    store: DeliveryStore
    accountConsents: AccountConsents
    settings: () => Promise<Pick<MarketingSettings, 'followUnsubscribes'>>
    calls: ItemCalls
  },
) {
  /** Resolves to a function that finds our subscriptions of a person and their ends, the earliest first. */
  async function readOwn(profiles: readonly Profile[], phoneNumbers: readonly string[]) {
    const found = await store.readSubscriptions(profiles.flatMap(keysOf), phoneNumbers)
    const ofKey = groupBy(
      found.flatMap((own) => keysOf(own.message.profile).map((key) => ({ key, own }))),
      ({ key }) => key,
    )
    return (profile: Profile): OwnSubscription[] => {
      const all = new Set(
        keysOf(profile).flatMap((key) => ofKey.get(key)?.map(({ own }) => own) ?? []),
      )
      return [...all].sort((one, other) => one.id - other.id)
    }
  }

  /** Leaves out the channels that a person has unsubscribed. Skips the sends that have no channel left. */
  async function withoutUnsubscribed(
    all: readonly CallItem<SubscribeMessage>[],
    apiKey: string,
  ): Promise<CallItem<SubscribeMessage>[]> {
    const { followUnsubscribes } = await settings()
    // A subscription that was stored while the setting was off has no basis.
    const mustAsk = ({ message }: Send) =>
      followUnsubscribes || (message.kind === 'subscribe' && message.basis !== undefined)
    const [items, others] = split(all, ({ sends }) => sends.some(mustAsk))
    if (items.length === 0) return others
    const profiles = items.map(({ message }) => message.profile)
    const phoneNumbers = items.flatMap(({ message: { channels, profile } }) =>
      channels.includes('sms') ? (profile.phoneNumber ?? []) : [],
    )
    const [ownOf, accounts] = await Promise.all([
      readOwn(profiles, phoneNumbers),
      accountConsents(profiles),
    ])
    const looked = await calls.lookUp('find-profiles', { items, apiKey }, (asked, options) =>
      klaviyo.findConsents(
        asked.map(({ message }) => message.profile),
        options,
      ),
    )
    const ofItems = looked.map(async ({ item, found }) => {
      const { profile } = item.message
      const keys = keysOf(profile)
      const facts = {
        klaviyo: keys.flatMap((key) => found.consents.get(key) ?? []),
        account: accounts.get(keys[0] ?? ''),
        own: ownOf(profile),
      }
      const allowed = item.sends.map((one) =>
        mustAsk(one) ? withAllowedChannels(one, facts) : { send: one },
      )
      await Promise.all(
        allowed.flatMap(({ send, error }) =>
          error ? calls.skip(itemOf(send), error, found.trace) : [],
        ),
      )
      return mergeSends(allowed.flatMap(({ send, error }) => (error ? [] : send)))
    })
    return [...others, ...(await Promise.all(ofItems)).flat().filter(isItemOf('subscribe'))]
  }

  /** The items whose people are not subscribed yet: a list with double opt-in would send a second email. */
  async function withoutSubscribed(
    items: readonly CallItem<SubscribeMessage>[],
    apiKey: string,
  ): Promise<CallItem<SubscribeMessage>[]> {
    const looked = await calls.lookUp('find-subscribed', { items, apiKey }, (asked, options) =>
      klaviyo.findSubscribed(messagesOf(asked), options),
    )
    const [subscribed, lacking] = split(looked, ({ item, found }) =>
      found.subscribed.has(item.message),
    )
    await Promise.all(subscribed.map(({ item, found }) => calls.deliver(item, found.trace)))
    return lacking.map(({ item }) => item)
  }

  /** Leaves out the channels that a person has subscribed again since. Skips the sends that have no channel left. */
  async function withoutThoseBack(
    items: readonly CallItem<UnsubscribeMessage>[],
  ): Promise<CallItem<UnsubscribeMessage>[]> {
    if (items.length === 0) return []
    const profiles = items.map(({ message }) => message.profile)
    const phoneNumbers = profiles.flatMap(({ phoneNumber }) => phoneNumber ?? [])
    const ownOf = await readOwn(profiles, phoneNumbers)
    const left = items
      .flatMap(({ sends }) => sends)
      .map((one): Send => {
        const { message } = one
        if (message.kind !== 'unsubscribe') return one
        const own = ownOf(message.profile)
        const channels = message.channels.filter(
          (channel) => !hasComeBack(channel, { ...one, message }, own),
        )
        return { ...one, message: { ...message, channels } }
      })
    const [finished, kept] = split(
      left,
      ({ message }) => 'channels' in message && message.channels.length === 0,
    )
    await Promise.all(
      finished.map((one) => calls.skip(itemOf(one), personIsBack, { at: waits.now() })),
    )
    return mergeSends(kept).filter(isItemOf('unsubscribe'))
  }

  return {
    async subscribe(items: readonly CallItem<SubscribeMessage>[], planned: PlannedCalls) {
      const { apiKey } = planned
      const [early, ready] = split(items, ({ message }) => readyAt(message) > waits.now())
      await Promise.all(early.map((item) => calls.giveBack([item], readyAt(item.message))))
      const allowed = await withoutUnsubscribed(ready, apiKey)
      const [inDoubt, others] = split(allowed, isRepeated)
      const all = [...others, ...(await withoutSubscribed(inDoubt, apiKey))]
      await calls.send(all, planned, (inCall, options) =>
        klaviyo.subscribe(messagesOf(inCall), options),
      )
    },

    async unsubscribe(items: readonly CallItem<UnsubscribeMessage>[], planned: PlannedCalls) {
      const [repeated, others] = split(items, isRepeated)
      const all = [...others, ...(await withoutThoseBack(repeated))]
      await calls.send(all, planned, (inCall, options) =>
        klaviyo.unsubscribe(messagesOf(inCall), options),
      )
    },
  }
}

/** Klaviyo refuses a moment of consent that has not passed yet, and another clock may differ from ours. */
export const clocksDifferByMs = 60_000

const readyAt = ({ consentedAt = {} }: SubscribeMessage): Date =>
  new Date(Math.max(0, ...Object.values(consentedAt).map(Date.parse)) + clocksDifferByMs)

const isRepeated = ({ sends }: CallItem): boolean => sends.some(isRepeat)

const itemOf = (send: Send): CallItem => ({ message: send.message, sends: [send] })

const messagesOf = <Kind extends SubscribeMessage | UnsubscribeMessage>(
  items: readonly CallItem<Kind>[],
) => items.map(({ message }) => message)

/** The keys of a person: first the one that orders their sends. */
const keysOf = ({ email, phoneNumber }: Profile): string[] => [
  ...(email === undefined ? [] : [profileKey({ email })]),
  ...(phoneNumber === undefined ? [] : [profileKey({ phoneNumber })]),
]

const hasNoChannel: KlaviyoError = {
  code: 'CHANNEL_MISSING',
  detail: 'There is no channel to subscribe.',
}

/** The send without the channels that the person has unsubscribed; when none remains, the reason. */
function withAllowedChannels(send: Send, facts: PersonFacts): { send: Send; error?: KlaviyoError } {
  const { message } = send
  if (message.kind !== 'subscribe') return { send }
  const reasons = message.channels.map((channel) =>
    whyNotSubscribe(channel, { ...send, message }, facts),
  )
  const channels = message.channels.filter((_, place) => reasons[place] === undefined)
  if (channels.length > 0) return { send: { ...send, message: { ...message, channels } } }
  return { send, error: reasons.find((reason) => reason !== undefined) ?? hasNoChannel }
}
