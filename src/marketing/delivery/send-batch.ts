import { isDeepStrictEqual } from 'node:util'
import {
  hasComeBack,
  personIsBack,
  whyNotSubscribe,
  type KnownOfPerson,
  type OwnSubscription,
} from '../klaviyo/may-subscribe.js'
import type {
  EventMessage,
  Message,
  SubscribeMessage,
  UnsubscribeMessage,
} from '../klaviyo/message.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import type {
  CallAnswer,
  CallOptions,
  Dispatch,
  Outcome,
  KlaviyoError,
  Reply,
} from '../klaviyo/call-answer.js'
import type { Klaviyo } from '../klaviyo/klaviyo.js'
import { callLimits } from '../klaviyo/limits.js'
import { profileKey } from '../../core/people/person-keys.js'
import { mergeProfiles, type Profile } from '../klaviyo/profile.js'
import type { CallTrace } from './attempt.js'
import type { CallBudget } from './call-budget.js'
import { isItemOf, mergeKey, mergeSends, settleItem, type CallItem } from './call-item.js'
import type { PlannedCalls } from './call-planner.js'
import type { Shop } from '../../core/shop.js'
import type { DeliveryStore } from './delivery-store.js'
import type { SendValues } from './sends-of-people.js'
import type { KlaviyoCall } from './klaviyo-call.js'
import type { Send, Settlement } from './send.js'

interface SendBatchSetup {
  klaviyo: Klaviyo
  store: DeliveryStore
  /** What the customers' documents say about these people, by `profileKey`. */
  accountConsents: AccountConsents
  settings: () => Promise<Pick<MarketingSettings, 'followUnsubscribes'>>
  budget: CallBudget
  klaviyoCall: KlaviyoCall
  settle: (settlements: readonly Settlement[]) => Promise<void>
}

export type AccountConsents = (
  profiles: readonly Profile[],
) => Promise<ReadonlyMap<string, KnownOfPerson['account']>>

/** Short enough that the call that follows fits into the same lease. */
const longestLookUpMs = 3_000

/** So long after an event, Klaviyo may still be about to make its profile. */
const profileAppearsMs = 5 * 60_000
const firstLookAgainMs = 5_000

/** Without `subscribe`, no profile is created for a list: `docs/interface.md` (Lists). */
const profileNotFound: KlaviyoError = {
  code: 'PROFILE_NOT_FOUND',
  detail: 'Klaviyo has no profile with this email. None was created.',
}

export type SendBatch = ReturnType<typeof createSendBatch>

/** Makes the planned calls and settles their sends. */
export function createSendBatch({ waits, effects }: Shop, setup: SendBatchSetup) {
  const { klaviyo, store, accountConsents, budget, klaviyoCall } = setup

  async function settle(
    items: readonly CallItem[],
    outcomeOf: (index: number) => Outcome,
    trace: CallTrace,
  ): Promise<void> {
    const isAlone = items.length === 1
    const settled = items.map((item, index) => {
      const step = { isAlone, now: waits.now(), random: effects.random(), trace }
      return setup.settle(settleItem(item, outcomeOf(index), step))
    })
    await Promise.all(settled)
  }

  /** Puts sends that were not sent back into the queue. */
  const giveBack = (items: readonly CallItem[], dueAt = waits.now()): Promise<void> =>
    setup.settle(
      items
        .flatMap(({ sends }) => sends)
        .map(({ id, attempts, batchSize, isUnanswered }) => ({
          id,
          to: 'queued',
          nextAttemptAt: dueAt,
          attempts,
          batchSize,
          ...(isUnanswered && { isUnanswered }),
        })),
    )

  /** Sends all items in one call, or each in its own call. */
  async function send<Kind extends Message>(
    items: readonly CallItem<Kind>[],
    planned: PlannedCalls,
    make: (inCall: readonly CallItem<Kind>[], options: CallOptions) => Promise<CallAnswer>,
  ): Promise<void> {
    const { permits, isOneByOne, apiKey } = planned
    const calls = inBatches(items, isOneByOne ? 1 : Math.max(1, items.length))
    permits.slice(calls.length).forEach((permit) => budget.unused(permit))
    const made = calls.map(async (inCall, index) => {
      const permit = permits[index]
      const task = { items: inCall.length, make: (o: CallOptions) => make(inCall, o) }
      if (permit === undefined) return giveBack(inCall)
      const answer = await klaviyoCall.call({ ...task, permit })
      if (answer === undefined) return giveBack(inCall)
      const own = isRefused(answer) ? withOwnValuesOnly(inCall) : undefined
      if (own)
        return send([own], { ...planned, permits: budget.take(permit.call, apiKey, 1) }, make)
      const outcomeOf = (place: number) => answer.outcomes[place] ?? unanswered
      return settle(inCall, outcomeOf, answer.trace)
    })
    await Promise.all(made)
  }

  /** Asks Klaviyo about items before they are sent. Items without an answer are settled. */
  async function lookUp<Item extends CallItem, Result>(
    name: 'find-profiles' | 'find-subscribed',
    { items, apiKey }: { items: readonly Item[]; apiKey: string },
    find: (asked: readonly Item[], options: CallOptions) => Reply<Result>,
  ): Promise<{ item: Item; found: Result & { trace: CallTrace } }[]> {
    const looked = inBatches(items, callLimits[name].items).map(async (asked) => {
      const found = await klaviyoCall.ask({
        name,
        apiKey,
        items: asked.length,
        longestMs: longestLookUpMs,
        make: (options) => find(asked, options),
      })
      if ('putOffUntil' in found) await giveBack(asked, new Date(found.putOffUntil))
      else if ('failed' in found)
        await settle(asked, () => outcomeOfLookUp(found.failed, asked.length), found.trace)
      else return asked.map((item) => ({ item, found }))
      return []
    })
    return (await Promise.all(looked)).flat()
  }

  async function sendEvents(items: readonly CallItem[], planned: PlannedCalls): Promise<void> {
    const events = items.filter(isItemOf('event'))
    // Without its refused value, a profile may belong to another person than the event that follows.
    const others = items.filter(({ message }) => message.kind !== 'event')
    if (others.length > 0) await giveBack(others)
    await send(await withNewestProfiles(events), planned, (inCall, options) => {
      const dispatches = inCall.map(dispatchOf)
      const [only] = dispatches
      return planned.isOneByOne && only
        ? klaviyo.trackEvent(only, options)
        : klaviyo.trackEvents(dispatches, options)
    })
  }

  /**
   * A send that is sent again gets the newest values of its profile: a later send of a lost call may have
   * set them, and when a merchant resends it, later sends surely have.
   */
  async function withNewestProfiles<Kind extends Message>(
    items: readonly CallItem<Kind>[],
  ): Promise<readonly CallItem<Kind>[]> {
    const firstIds = new Map<string, number>()
    for (const { id, profile } of items.flatMap(({ sends }) => sends).filter(isRepeat)) {
      firstIds.set(profile, Math.min(id, firstIds.get(profile) ?? id))
    }
    if (firstIds.size === 0) return items
    const repeats = await store.readRepeats([...firstIds.keys()])
    const sent = await store.readSentAfter([...firstIds].map(([profile, id]) => ({ profile, id })))
    const taken = withLaterValues(items, sent)
    return withLaterValues(items, [...sent, ...repeats], isRepeat).map((item, place) => {
      const own = taken[place]?.message
      const isOwn = isDeepStrictEqual(item.message.profile, own?.profile)
      return own === undefined || isOwn ? item : { ...item, own }
    })
  }

  async function sendIdentifies(items: readonly CallItem[], planned: PlannedCalls): Promise<void> {
    await send(await withNewestProfiles(items), planned, ([item], options) =>
      klaviyo.saveProfile(item?.message.profile ?? {}, options),
    )
  }

  async function addToList(items: readonly CallItem[], planned: PlannedCalls): Promise<void> {
    const { apiKey, group } = planned
    const { list = '' } = group
    const looked = await lookUp('find-profiles', { items, apiKey }, (asked, options) =>
      klaviyo.findProfiles(asked.map(emailOf), options),
    )
    const ids = new Map(looked.map(({ item, found }) => [item, found.ids.get(emailOf(item))]))
    const isThere = ({ item }: { item: CallItem }) => ids.get(item) !== undefined
    const skipped = { is: 'skipped', error: profileNotFound } as const
    const missing = looked.filter((one) => !isThere(one))
    const lookAgainAt = await whenToLookAgain(missing.map(({ item }) => item))
    await Promise.all(
      missing.map(({ item, found }) => {
        const at = lookAgainAt(item)
        return at ? giveBack([item], at) : settle([item], () => skipped, found.trace)
      }),
    )
    const there = looked.filter(isThere).map(({ item }) => item)
    await send(there, planned, (inCall, options) =>
      klaviyo.addToList(
        inCall.flatMap((item) => ids.get(item) ?? []),
        { ...options, list },
      ),
    )
  }

  /**
   * When to look again for profiles that Klaviyo does not have. It makes the profile of an event after its
   * answer, so one that was sent an event lately may be about to appear.
   */
  async function whenToLookAgain(items: readonly CallItem[]) {
    const now = waits.now().getTime()
    const lastSent = await store.readLastSent(items.map(profileOf), {
      from: new Date(now - profileAppearsMs),
      to: new Date(now + clocksDifferByMs),
    })
    return (item: CallItem): Date | undefined => {
      const sentAt = lastSent.get(profileOf(item))?.getTime()
      if (sentAt === undefined) return undefined
      // Each wait is as long as all before it.
      const waitMs = Math.max(firstLookAgainMs, now - sentAt)
      return new Date(Math.min(now + waitMs, sentAt + profileAppearsMs))
    }
  }

  /** Leaves out the channels that a person has unsubscribed. Skips the sends that have no channel left. */
  async function withoutUnsubscribed(
    all: readonly CallItem<SubscribeMessage>[],
    apiKey: string,
  ): Promise<CallItem<SubscribeMessage>[]> {
    const { followUnsubscribes } = await setup.settings()
    // A subscription that was stored while the setting was off has no basis.
    const mustAsk = ({ message }: Send) =>
      followUnsubscribes || (message.kind === 'subscribe' && message.basis !== undefined)
    const isAsked = ({ sends }: CallItem) => sends.some(mustAsk)
    const items = all.filter(isAsked)
    if (items.length === 0) return [...all]
    const profiles = items.map(({ message }) => message.profile)
    const [own, accounts] = await Promise.all([
      store.readSubscriptions(
        profiles.flatMap(keysOf),
        items.flatMap(({ message: { channels, profile } }) =>
          channels.includes('sms') ? (profile.phoneNumber ?? []) : [],
        ),
      ),
      accountConsents(profiles),
    ])
    const looked = await lookUp('find-profiles', { items, apiKey }, (asked, options) =>
      klaviyo.findConsents(
        asked.map(({ message }) => message.profile),
        options,
      ),
    )
    const ownOf = byKey(own)
    const allowed = looked.map(async ({ item, found }) => {
      const keys = keysOf(item.message.profile)
      const known = {
        klaviyo: keys.flatMap((key) => found.consents.get(key) ?? []),
        account: accounts.get(keys[0] ?? ''),
        own: ownOf(keys),
      }
      const kept = item.sends.map((send) => ({
        send,
        ...(mustAsk(send) ? allowedPart(send, known) : { message: send.message }),
      }))
      const skipped = kept.filter(({ message }) => message === undefined)
      await Promise.all(
        skipped.map(({ send, error }) =>
          settle(
            [{ message: send.message, sends: [send] }],
            () => ({ is: 'skipped', error: error ?? hasNoChannel }),
            found.trace,
          ),
        ),
      )
      return mergeSends(kept.flatMap(({ send, message }) => (message ? { ...send, message } : [])))
    })
    const merged = (await Promise.all(allowed)).flat().filter(isItemOf('subscribe'))
    return [...all.filter((item) => !isAsked(item)), ...merged]
  }

  /**
   * When nobody has read the answer to a subscription, it is sent again only if the profile lacks it: a
   * list with double opt-in would send a second email.
   */
  async function subscribe(
    given: readonly CallItem<SubscribeMessage>[],
    planned: PlannedCalls,
  ): Promise<void> {
    const early = given.filter(({ message }) => readyAt(message) > waits.now())
    await Promise.all(early.map((item) => giveBack([item], readyAt(item.message))))
    const ready = given.filter((item) => !early.includes(item))
    const all = await withoutUnsubscribed(ready, planned.apiKey)
    const isInDoubt = (item: CallItem) => item.sends.some(isRepeat)
    const inDoubt = { items: all.filter(isInDoubt), apiKey: planned.apiKey }
    const looked = await lookUp('find-subscribed', inDoubt, (asked, options) =>
      klaviyo.findSubscribed(messagesOf(asked), options),
    )
    const isSubscribed = ({ item, found }: (typeof looked)[number]) =>
      found.subscribed.has(item.message)
    const subscribed = looked.filter(isSubscribed)
    await Promise.all(
      subscribed.map(({ item, found }) => settle([item], () => ({ is: 'delivered' }), found.trace)),
    )
    const lacking = looked.filter((one) => !isSubscribed(one)).map(({ item }) => item)
    const items = [...all.filter((item) => !isInDoubt(item)), ...lacking]
    await send(items, planned, (inCall, options) => klaviyo.subscribe(messagesOf(inCall), options))
  }

  /** What is resent counts at the moment at which it was asked for: it ends no subscription that came later. */
  async function unsubscribe(
    items: readonly CallItem<UnsubscribeMessage>[],
    planned: PlannedCalls,
  ): Promise<void> {
    const resent = items.filter(({ sends }) => sends.some(isRepeat))
    const own =
      resent.length === 0
        ? []
        : await store.readSubscriptions(
            resent.flatMap(({ message }) => keysOf(message.profile)),
            resent.flatMap(({ message }) => message.profile.phoneNumber ?? []),
          )
    const ownOf = byKey(own)
    const left = resent
      .flatMap(({ sends }) => sends)
      .map((one) => {
        const { message } = one
        if (message.kind !== 'unsubscribe') return one
        const known = ownOf(keysOf(message.profile))
        const channels = message.channels.filter(
          (each) => !hasComeBack(each, { ...one, message }, known),
        )
        return { ...one, message: { ...message, channels } }
      })
    const isOver = ({ message }: Send) => 'channels' in message && message.channels.length === 0
    const over = left.filter(isOver).map((one) => ({ message: one.message, sends: [one] }))
    const skipped = { is: 'skipped', error: personIsBack } as const
    await Promise.all(over.map((item) => settle([item], () => skipped, { at: waits.now() })))
    const again = mergeSends(left.filter((one) => !isOver(one))).filter(isItemOf('unsubscribe'))
    const all = [...items.filter((item) => !resent.includes(item)), ...again]
    await send(all, planned, (inCall, options) => klaviyo.unsubscribe(messagesOf(inCall), options))
  }

  /** @param filled The sends of each part, with their messages. */
  return (filled: readonly Send[][], planned: PlannedCalls): Promise<void> => {
    const items = filled.flatMap(mergeSends)
    switch (planned.group.kind) {
      case 'event':
      case 'past-event':
        return sendEvents(items, planned)
      case 'identify':
        return sendIdentifies(items, planned)
      case 'list-add':
        return addToList(items, planned)
      case 'subscribe':
      case 'consent':
        return subscribe(items.filter(isItemOf('subscribe')), planned)
      case 'erase':
        return send(items.filter(isItemOf('erase')), planned, ([item], options) =>
          klaviyo.deleteProfile(item?.message.profile ?? {}, options),
        )
      case 'unsubscribe':
        return unsubscribe(items.filter(isItemOf('unsubscribe')), planned)
    }
  }
}

/** The client returns an outcome for each item. A missing one must not lose a send. */
const unanswered: Outcome = {
  is: 'later',
  error: { code: 'UNREADABLE_ANSWER', detail: 'The answer says nothing of this item.' },
  costsAttempt: true,
}

const hasNoChannel: KlaviyoError = {
  code: 'CHANNEL_MISSING',
  detail: 'There is no channel to subscribe.',
}

/** Klaviyo refuses a moment of consent that has not passed yet, and another clock may differ from ours. */
const clocksDifferByMs = 60_000

const readyAt = ({ consentedAt = {} }: SubscribeMessage): Date =>
  new Date(Math.max(0, ...Object.values(consentedAt).map(Date.parse)) + clocksDifferByMs)

const isRepeat = ({ attempts, isUnanswered }: Send) => attempts > 0 || isUnanswered

/** The repeats with the values of their profiles that came later: in other sends, and in items that count. */
function withLaterValues<Kind extends Message>(
  items: readonly CallItem<Kind>[],
  others: readonly SendValues[],
  counts: (send: Send) => boolean = () => false,
): CallItem<Kind>[] {
  // This walks backwards: `later` has the values of each person that come after the place of the walk.
  const later = new Map<string, Profile>()
  const left = new Map<string, SendValues[]>()
  for (const one of others.toSorted((first, second) => first.id - second.id)) {
    const key = mergeKey(one.profile)
    left.set(key, [...(left.get(key) ?? []), one])
  }
  const inFrontOf = (values: Profile | undefined, profile: Profile) =>
    mergeProfiles(profile, values ?? {})
  const newest = items.toReversed().map((item) => {
    const key = mergeKey(item.message.profile)
    const rest = left.get(key) ?? []
    let isChanged = later.has(key)
    let values = later.get(key)
    for (const send of item.sends.toReversed()) {
      for (let other = rest.at(-1); other && other.id > send.id; other = rest.at(-1)) {
        rest.pop()
        isChanged = true
        values = inFrontOf(values, other.profile)
        later.set(key, inFrontOf(later.get(key), other.profile))
      }
      values = inFrontOf(values, send.message.profile)
      if (counts(send)) later.set(key, inFrontOf(later.get(key), send.message.profile))
    }
    if (!isChanged || !values || !item.sends.some(isRepeat)) return item
    return { ...item, message: { ...item.message, profile: values } }
  })
  return newest.toReversed()
}

const isRefused = ({ outcomes: [outcome] }: CallAnswer): boolean =>
  outcome?.is === 'refused' || outcome?.is === 'culpritUnknown' || outcome?.is === 'retryWithout'

/**
 * When an item is alone in its call, to find what is refused: the item without the values of other sends.
 * If those are refused now, none of them has taken effect.
 */
function withOwnValuesOnly<Kind extends Message>([item]: readonly CallItem<Kind>[]) {
  if (item?.own === undefined || item.sends.every(({ batchSize }) => batchSize > 1))
    return undefined
  return { message: item.own, sends: item.sends }
}

/** The last send of an item is the event itself, so its time of acceptance counts. */
const dispatchOf = ({ message, sends }: CallItem<EventMessage>): Dispatch<EventMessage> => ({
  message,
  acceptedAt: (sends.at(-1) as Send).acceptedAt,
})

const messagesOf = <Kind extends SubscribeMessage | UnsubscribeMessage>(
  items: readonly CallItem<Kind>[],
) => items.map(({ message }) => message)

/** The keys of a person: first the one that orders their sends. */
const keysOf = ({ email, phoneNumber }: Profile): string[] => [
  ...(email === undefined ? [] : [profileKey({ email })]),
  ...(phoneNumber === undefined ? [] : [profileKey({ phoneNumber })]),
]

/** Returns a function that finds the subscriptions with one of some keys, the earliest first. */
function byKey(all: readonly OwnSubscription[]) {
  const found = new Map<string, OwnSubscription[]>()
  for (const own of all) {
    for (const key of keysOf(own.message.profile)) {
      const others = found.get(key)
      if (others === undefined) found.set(key, [own])
      else others.push(own)
    }
  }
  return (keys: readonly string[]): OwnSubscription[] =>
    [...new Set(keys.flatMap((key) => found.get(key) ?? []))].sort(
      (one, other) => one.id - other.id,
    )
}

/** The message without the channels that the person has unsubscribed. When none remains, the reason. */
function allowedPart(
  send: Send,
  known: KnownOfPerson,
): { message?: Message; error?: KlaviyoError } {
  const { message } = send
  if (message.kind !== 'subscribe') return { message }
  const reasons = message.channels.map((channel) =>
    whyNotSubscribe(channel, { ...send, message }, known),
  )
  const channels = message.channels.filter((_, index) => reasons[index] === undefined)
  const [error] = reasons.filter((reason) => reason !== undefined)
  return channels.length > 0 ? { message: { ...message, channels } } : error ? { error } : {}
}

/** The name of the queue of the item's person. */
const profileOf = ({ sends }: CallItem): string => sends[0]?.profile ?? ''

const emailOf = ({ message }: CallItem): string => message.profile.email?.toLowerCase() ?? ''

/** A refused look-up does not say which email was bad. */
const outcomeOfLookUp = (outcome: Outcome, itemsInCall: number): Outcome =>
  outcome.is === 'refused' && itemsInCall > 1
    ? { is: 'culpritUnknown', error: outcome.error }
    : outcome

const inBatches = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  )
