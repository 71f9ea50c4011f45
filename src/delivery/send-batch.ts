import type { EventMessage, Message, SubscribeMessage } from '../marketing/message.js'
import type {
  CallAnswer,
  CallFailure,
  CallOptions,
  Dispatch,
  MarketingPlatform,
  Outcome,
  PlatformError,
  RateReading,
} from '../marketing/platform.js'
import { mergeProfiles, type Profile } from '../marketing/profile.js'
import type { CallBudget } from './call-budget.js'
import { foldSends, isItemOf, personOf, settleItem, type CallItem } from './call-item.js'
import type { PlannedCalls } from './call-planner.js'
import type { Clock } from './clock.js'
import type { DeliveryStore } from './delivery-store.js'
import { askPlatform, type PlatformCall } from './platform-call.js'
import type { Send, Settlement } from './send.js'

export interface SendBatchParts {
  platform: MarketingPlatform
  store: Pick<DeliveryStore, 'readRepeats'>
  budget: CallBudget
  call: PlatformCall
  clock: Clock
  random: () => number
  /** Resolves when it is written what became of sends. */
  settle: (settlements: readonly Settlement[]) => Promise<void>
}

/** Leaves time for the call that adds, within the same lease. */
const longestLookUpMs = 3_000

/** interface.md, Events, List add: "if the platform has none when the job runs, none is created". */
export const profileNotFound: PlatformError = {
  code: 'PROFILE_NOT_FOUND',
  detail: 'The platform has no profile with this email. None was created.',
}

/** Makes the calls that were planned, and settles what was sent. */
export function createSendBatch(parts: SendBatchParts) {
  const { platform, store, budget, call, clock, random } = parts

  /** Items of one call. */
  async function settle(
    items: readonly CallItem[],
    outcomeOf: (index: number) => Outcome,
  ): Promise<void> {
    const isAlone = items.length === 1
    const settled = items.map((item, index) => {
      const step = { isAlone, now: clock.now(), random: random() }
      return parts.settle(settleItem(item, outcomeOf(index), step))
    })
    await Promise.all(settled)
  }

  /** Back to the queue, as nothing was sent. */
  const giveBack = (items: readonly CallItem[], dueAt = clock.now()): Promise<void> =>
    parts.settle(
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

  /** All items in one call, or each in its own. */
  async function send<Item extends CallItem>(
    items: readonly Item[],
    { permits, isOneByOne }: PlannedCalls,
    make: (inCall: readonly Item[], options: CallOptions) => Promise<CallAnswer>,
  ): Promise<void> {
    const calls = inBatches(items, isOneByOne ? 1 : Math.max(1, items.length))
    permits.slice(calls.length).forEach((permit) => budget.unused(permit))
    const made = calls.map(async (inCall, index) => {
      const permit = permits[index]
      const task = { items: inCall.length, make: (o: CallOptions) => make(inCall, o) }
      const answer = permit && (await call({ ...task, permit }))
      if (answer === undefined) return giveBack(inCall)
      return settle(inCall, (place) => answer.outcomes[place] ?? unanswered)
    })
    await Promise.all(made)
  }

  /** Asks about items before they are sent; those of which nothing is said are settled. */
  async function lookUp<Item extends CallItem, Result extends { rate?: RateReading }>(
    name: 'find-profiles' | 'find-subscribed',
    { items, apiKey }: { items: readonly Item[]; apiKey: string },
    find: (asked: readonly Item[], options: CallOptions) => Promise<Result | CallFailure>,
  ): Promise<{ item: Item; found: Result }[]> {
    const looked = inBatches(items, platform.bounds.calls[name].items).map(async (asked) => {
      const make = (options: CallOptions) => find(asked, options)
      const question = { name, apiKey, items: asked.length, longestMs: longestLookUpMs, make }
      const found = await askPlatform({ budget, call }, question)
      if ('putOffUntil' in found) await giveBack(asked, new Date(found.putOffUntil))
      else if ('failed' in found) await settle(asked, () => ofOne(found.failed, asked.length))
      else return asked.map((item) => ({ item, found }))
      return []
    })
    return (await Promise.all(looked)).flat()
  }

  async function sendEvents(items: readonly CallItem[], planned: PlannedCalls): Promise<void> {
    const events = items.filter(isItemOf('event'))
    // A profile that lost a value to a refusal may be another person's than the event behind it.
    const others = items.filter(({ message }) => message.kind !== 'event')
    if (others.length > 0) await giveBack(others)
    await send(await withNewestProfiles(events), planned, (inCall, options) => {
      const dispatches = inCall.map(dispatchOf)
      const [only] = dispatches
      return planned.isOneByOne && only
        ? platform.trackEvent(only, options)
        : platform.trackEvents(dispatches, options)
    })
  }

  /**
   * An event that is sent again carries the newest values that its profile may have got: what it said
   * itself may have been overtaken, by an event of the call that was lost. One that is singled out says
   * its own alone: what is refused must be its own.
   */
  async function withNewestProfiles(
    items: readonly CallItem<EventMessage>[],
  ): Promise<CallItem<EventMessage>[]> {
    const repeated = items.flatMap(({ sends }) => sends).filter(isRepeat)
    const profiles = new Set(repeated.map(({ profile }) => profile))
    const behind = profiles.size === 0 ? [] : await store.readRepeats([...profiles])
    // From the last one on: of each person what the repeats say that come later.
    const later = new Map<string, Profile>()
    const putInFront = ({ profile }: Message) => {
      const person = personOf(profile)
      later.set(person, mergeProfiles(profile, later.get(person) ?? {}))
    }
    behind.toReversed().forEach(putInFront)
    const newest = items.toReversed().map((item) => {
      const repeats = item.sends.filter(isRepeat)
      const profile = later.get(personOf(item.message.profile))
      for (const { message } of repeats.toReversed()) putInFront(message)
      if (profile === undefined || repeats.length === 0 || isSingledOut(item)) return item
      const message = { ...item.message, profile: mergeProfiles(item.message.profile, profile) }
      return { ...item, hasOthersValues: true, message }
    })
    return newest.toReversed()
  }

  const sendIdentifies = (items: readonly CallItem[], planned: PlannedCalls): Promise<void> =>
    send(items, planned, (inCall, options) => {
      const profiles = inCall.map(({ message }) => message.profile)
      const [only] = profiles
      return planned.isOneByOne && only
        ? platform.saveProfile(only, options)
        : platform.importProfiles(profiles, options)
    })

  async function addToList(items: readonly CallItem[], planned: PlannedCalls): Promise<void> {
    const { apiKey, group } = planned
    const { list = '', isProfileKnown } = group
    if (isProfileKnown) {
      // The email alone: the import is asynchronous, and must not bring older values back.
      return send(items, planned, (inCall, options) =>
        platform.importProfiles(
          inCall.map((item) => ({ email: emailOf(item) })),
          { ...options, list },
        ),
      )
    }
    const looked = await lookUp('find-profiles', { items, apiKey }, (asked, options) =>
      platform.findProfiles(asked.map(emailOf), options),
    )
    const ids = new Map(looked.map(({ item, found }) => [item, found.ids.get(emailOf(item))]))
    const isThere = (item: CallItem) => ids.get(item) !== undefined
    const missing = [...ids.keys()].filter((item) => !isThere(item))
    await settle(missing, () => ({ is: 'skipped', error: profileNotFound }))
    await send([...ids.keys()].filter(isThere), planned, (inCall, options) =>
      platform.addToList(
        inCall.flatMap((item) => ids.get(item) ?? []),
        { ...options, list },
      ),
    )
  }

  /**
   * A subscription that was in a call whose answer nobody has read is said again only where the profile
   * lacks it: a list with double opt-in would mail twice.
   */
  async function subscribe(
    all: readonly CallItem<SubscribeMessage>[],
    planned: PlannedCalls,
  ): Promise<void> {
    const isInDoubt = (item: CallItem) => item.sends.some(isRepeat)
    const inDoubt = { items: all.filter(isInDoubt), apiKey: planned.apiKey }
    const looked = await lookUp('find-subscribed', inDoubt, (asked, options) =>
      platform.findSubscribed(messagesOf(asked), options),
    )
    const isSubscribed = ({ item, found }: (typeof looked)[number]) =>
      found.subscribed.has(item.message)
    await settle(
      looked.filter(isSubscribed).map(({ item }) => item),
      () => ({ is: 'delivered' }),
    )
    const lacking = looked.filter((one) => !isSubscribed(one)).map(({ item }) => item)
    const items = [...all.filter((item) => !isInDoubt(item)), ...lacking]
    await send(items, planned, (inCall, options) => platform.subscribe(messagesOf(inCall), options))
  }

  /** @param filled The sends of each part, with their messages. */
  return (filled: readonly Send[][], planned: PlannedCalls): Promise<void> => {
    const items = filled.flatMap(foldSends)
    switch (planned.group.kind) {
      case 'event':
      case 'past-event':
        return sendEvents(items, planned)
      case 'identify':
        return sendIdentifies(items, planned)
      case 'list-add':
        return addToList(items, planned)
      case 'subscribe':
        return subscribe(items.filter(isItemOf('subscribe')), planned)
    }
  }
}

/** A client answers for each item; were one left out, it would be tried again, not lost. */
const unanswered: Outcome = {
  is: 'later',
  error: { code: 'UNREADABLE_ANSWER', detail: 'The answer says nothing of this item.' },
  costsAttempt: true,
}

const isRepeat = ({ attempts, isUnanswered }: Send) => attempts > 0 || isUnanswered

const isSingledOut = ({ sends }: CallItem) => sends.some(({ batchSize }) => batchSize === 1)

/** The event was accepted when its own send was, the last of the item's. */
const dispatchOf = ({ message, sends }: CallItem<EventMessage>): Dispatch<EventMessage> => ({
  message,
  acceptedAt: sends.at(-1)?.acceptedAt ?? new Date(),
})

const messagesOf = (items: readonly CallItem<SubscribeMessage>[]) =>
  items.map(({ message }) => message)

const emailOf = ({ message }: CallItem): string => message.profile.email?.toLowerCase() ?? ''

/** A look-up that is refused does not say whose email was bad. */
const ofOne = (outcome: Outcome, itemsInCall: number): Outcome =>
  outcome.is === 'refused' && itemsInCall > 1 ? { is: 'suspect', error: outcome.error } : outcome

const inBatches = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  )
