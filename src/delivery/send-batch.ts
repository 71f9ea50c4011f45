import type {
  EventMessage,
  IdentifyMessage,
  ListAddMessage,
  SubscribeMessage,
} from '../marketing/message.js'
import type {
  CallAnswer,
  CallOptions,
  Dispatch,
  MarketingPlatform,
  Outcome,
  PlatformError,
} from '../marketing/platform.js'
import { mergeProfiles, type Profile } from '../marketing/profile.js'
import type { BatchPart, BatchGroup } from './batch.js'
import type { CallBudget, Permit } from './call-budget.js'
import {
  foldByPerson,
  foldIdentifies,
  foldIntoEvents,
  settleItem,
  type CallItem,
} from './call-item.js'
import type { Clock } from './clock.js'
import type { DeliveryStore } from './delivery-store.js'
import { asAnswer, type PlatformCall } from './platform-call.js'
import type { Send, Settlement } from './send.js'

/** Calls that are about to be made: one for all parts, or one for each. */
export interface PlannedCalls {
  group: BatchGroup
  parts: BatchPart[]
  permits: Permit[]
  isOneByOne: boolean
}

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

/** The sends of a part, with their messages. */
export type FilledPart = Send[]

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

  const settle = (item: CallItem, outcome: Outcome, itemsInCall: number): Promise<void> =>
    parts.settle(
      settleItem(item, outcome, {
        now: clock.now(),
        random: random(),
        isAlone: itemsInCall === 1,
      }),
    )

  /** Back to the queue, as nothing was sent. */
  const giveBack = (sends: readonly Send[], dueAt = clock.now()): Promise<void> =>
    parts.settle(
      sends.map(({ id, attempts, batchSize, isUnanswered }) => ({
        id,
        to: 'queued',
        nextAttemptAt: dueAt,
        attempts,
        batchSize,
        ...(isUnanswered && { isUnanswered }),
      })),
    )

  /** All items in one call. */
  async function sendTogether<Item extends CallItem>(
    items: readonly Item[],
    permit: Permit,
    make: (options: CallOptions) => Promise<CallAnswer>,
  ): Promise<void> {
    if (items.length === 0) return budget.unused(permit)
    const answer = await call({ permit, items: items.length, make })
    if (answer === undefined) return giveBack(items.flatMap(({ sends }) => sends))
    const settlements = items.map((item, index) =>
      settle(item, answer.outcomes[index] ?? unanswered, items.length),
    )
    await Promise.all(settlements)
  }

  async function sendEvents(filled: readonly FilledPart[], planned: PlannedCalls): Promise<void> {
    const [permit, ...others] = planned.permits
    const newest = await newestProfiles(filled)
    const items = filled.flatMap(foldIntoEvents).map(newest)
    if (permit === undefined) return
    if (!planned.isOneByOne) {
      return sendTogether(items, permit, (options) =>
        platform.trackEvents(items.map(dispatchOf), options),
      )
    }
    await oneByOne(
      items,
      [permit, ...others],
      (item) => (options) => platform.trackEvent(dispatchOf(item), options),
    )
  }

  /**
   * An event that is sent again carries the newest values that its profile may have got: what it said
   * itself may have been overtaken, by an event of the call that was lost. One that is singled out says
   * its own alone: what is refused must be its own.
   */
  async function newestProfiles(filled: readonly FilledPart[]) {
    const repeated = filled.flat().filter(isRepeat)
    const profiles = new Set(repeated.map(({ profile }) => profile))
    const behind = profiles.size === 0 ? [] : await store.readRepeats([...profiles])
    const messages = [...repeated.map(({ message }) => message), ...behind]
    const newest = new Map<string | undefined, Profile>()
    for (const { profile } of messages) {
      const name = profileName(profile)
      newest.set(name, mergeProfiles(newest.get(name) ?? {}, profile))
    }
    return (item: CallItem<EventMessage>): CallItem<EventMessage> => {
      const profile = newest.get(profileName(item.message.profile))
      if (profile === undefined || !item.sends.some(isRepeat) || isSingledOut(item)) return item
      return {
        ...item,
        hasOthersValues: true,
        message: { ...item.message, profile: mergeProfiles(item.message.profile, profile) },
      }
    }
  }

  async function oneByOne<Item extends CallItem>(
    items: readonly Item[],
    permits: readonly Permit[],
    makeFor: (item: Item) => (options: CallOptions) => Promise<CallAnswer>,
  ): Promise<void> {
    permits.slice(items.length).forEach((permit) => budget.unused(permit))
    await Promise.all(
      items.map((item, index) => {
        const permit = permits[index]
        return permit ? sendTogether([item], permit, makeFor(item)) : giveBack(item.sends)
      }),
    )
  }

  async function sendIdentifies(
    filled: readonly FilledPart[],
    planned: PlannedCalls,
  ): Promise<void> {
    const items = filled.flatMap((sends) => foldByPerson<IdentifyMessage>(sends, foldIdentifies))
    const [permit] = planned.permits
    if (planned.isOneByOne) {
      return oneByOne(
        items,
        planned.permits,
        ({ message }) =>
          (options) =>
            platform.saveProfile(message.profile, options),
      )
    }
    const profiles = items.map(({ message }) => message.profile)
    if (permit) await sendTogether(items, permit, (o) => platform.importProfiles(profiles, o))
  }

  async function addToList(filled: readonly FilledPart[], planned: PlannedCalls): Promise<void> {
    const items = filled.flatMap((sends) =>
      foldByPerson<ListAddMessage>(sends, (_, later) => later),
    )
    const { list = '', isProfileKnown } = planned.group
    const [permit] = planned.permits
    if (permit === undefined) return
    if (isProfileKnown) {
      // The email alone: the import is asynchronous, and must not bring older values back.
      const profiles = items.map(({ message }) => ({ email: message.profile.email ?? '' }))
      return sendTogether(items, permit, (o) => platform.importProfiles(profiles, { ...o, list }))
    }
    const found = await findProfiles(items, permit.apiKey)
    const ids = found.map(({ id }) => id)
    await sendTogether(
      found.map(({ item }) => item),
      permit,
      (options) => platform.addToList(ids, { ...options, list }),
    )
  }

  /** Those whose profile is there, with its id; the others are settled. */
  async function findProfiles(items: readonly CallItem<ListAddMessage>[], apiKey: string) {
    const batches = inBatches(items, platform.bounds.calls['find-profiles'].items)
    const { nextAt } = budget.roomFor('find-profiles', apiKey)
    const permits = budget.take('find-profiles', apiKey, batches.length)
    const waiting = batches.slice(permits.length).flat()
    if (waiting.length > 0) {
      await giveBack(
        waiting.flatMap(({ sends }) => sends),
        new Date(nextAt),
      )
    }
    const looked = permits.map((permit, index) => lookUp(batches[index] ?? [], permit))
    return (await Promise.all(looked)).flat()
  }

  async function lookUp(items: readonly CallItem<ListAddMessage>[], permit: Permit) {
    const emails = items.map(({ message }) => emailOf(message))
    let ids: ReadonlyMap<string, string> | undefined
    const answer = await call({
      permit,
      items: items.length,
      longestMs: longestLookUpMs,
      async make(options) {
        const result = await platform.findProfiles(emails, options)
        if ('failed' in result) return asAnswer(result.failed, result.rate)
        ids = result.ids
        return asAnswer({ is: 'delivered' }, result.rate)
      },
    })
    if (answer === undefined) {
      await giveBack(items.flatMap(({ sends }) => sends))
      return []
    }
    const failure = answer.outcomes[0] ?? unanswered
    const found: { item: CallItem<ListAddMessage>; id: string }[] = []
    const settled = items.map(async (item) => {
      const id = ids?.get(emailOf(item.message))
      if (id !== undefined) found.push({ item, id })
      else if (ids !== undefined) await settle(item, { is: 'skipped', error: profileNotFound }, 1)
      else await settle(item, ofOne(failure, items.length), items.length)
    })
    await Promise.all(settled)
    return found
  }

  async function subscribe(filled: readonly FilledPart[], planned: PlannedCalls): Promise<void> {
    const [permit] = planned.permits
    if (permit === undefined) return
    const all = filled.flatMap((sends) => foldByPerson<SubscribeMessage>(sends, foldSubscriptions))
    const items = await withoutSubscribed(all, permit.apiKey)
    const messages = items.map(({ message }) => message)
    await sendTogether(items, permit, (options) => platform.subscribe(messages, options))
  }

  /**
   * A subscription that was in a call whose answer nobody has read is said again only where the profile
   * lacks it: a list with double opt-in would mail twice.
   */
  async function withoutSubscribed(
    items: readonly CallItem<SubscribeMessage>[],
    apiKey: string,
  ): Promise<CallItem<SubscribeMessage>[]> {
    const isInDoubt = (item: CallItem) => item.sends.some(isRepeat)
    const rest = items.filter((item) => !isInDoubt(item))
    const batches = inBatches(
      items.filter(isInDoubt),
      platform.bounds.calls['find-subscribed'].items,
    )
    for (const batch of batches) rest.push(...(await lookForSubscribed(batch, apiKey)))
    return rest
  }

  async function lookForSubscribed(
    items: readonly CallItem<SubscribeMessage>[],
    apiKey: string,
  ): Promise<CallItem<SubscribeMessage>[]> {
    const { nextAt } = budget.roomFor('find-subscribed', apiKey)
    const [permit] = budget.take('find-subscribed', apiKey, 1)
    const sends = items.flatMap((item) => item.sends)
    if (permit === undefined) {
      await giveBack(sends, new Date(nextAt))
      return []
    }
    const messages = items.map(({ message }) => message)
    let subscribed: ReadonlySet<SubscribeMessage> = new Set()
    const answer = await call({
      permit,
      items: items.length,
      longestMs: longestLookUpMs,
      async make(options) {
        const result = await platform.findSubscribed(messages, options)
        if ('failed' in result) return asAnswer(result.failed, result.rate)
        subscribed = result.subscribed
        return asAnswer({ is: 'delivered' }, result.rate)
      },
    })
    const outcome = answer?.outcomes[0]
    if (outcome === undefined) {
      await giveBack(sends)
      return []
    }
    if (outcome.is !== 'delivered') {
      await Promise.all(
        items.map((item) => settle(item, ofOne(outcome, items.length), items.length)),
      )
      return []
    }
    const isThere = ({ message }: CallItem<SubscribeMessage>) => subscribed.has(message)
    await Promise.all(items.filter(isThere).map((item) => settle(item, outcome, 1)))
    return items.filter((item) => !isThere(item))
  }

  return (filled: readonly FilledPart[], planned: PlannedCalls): Promise<void> => {
    switch (planned.group.kind) {
      case 'event':
      case 'past-event':
        return sendEvents(filled, planned)
      case 'identify':
        return sendIdentifies(filled, planned)
      case 'list-add':
        return addToList(filled, planned)
      case 'subscribe':
        return subscribe(filled, planned)
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

const profileName = ({ email, phoneNumber }: Profile) => email?.toLowerCase() ?? phoneNumber

/** The event was accepted when its own send was, the last of the item's. */
const dispatchOf = ({ message, sends }: CallItem<EventMessage>): Dispatch<EventMessage> => ({
  message,
  acceptedAt: sends.at(-1)?.acceptedAt ?? new Date(),
})

const foldSubscriptions = (
  earlier: SubscribeMessage,
  later: SubscribeMessage,
): SubscribeMessage => ({
  ...later,
  profile: mergeProfiles(earlier.profile, later.profile),
  channels: [...new Set([...earlier.channels, ...later.channels])],
})

const emailOf = ({ profile }: ListAddMessage): string => profile.email?.toLowerCase() ?? ''

/** A look-up that is refused does not say whose email was bad. */
const ofOne = (outcome: Outcome, itemsInCall: number): Outcome =>
  outcome.is === 'refused' && itemsInCall > 1 ? { is: 'suspect', error: outcome.error } : outcome

const inBatches = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  )
