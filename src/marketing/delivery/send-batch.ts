import type { Shop } from '../../core/shop.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import { isItemOf, mergeSends, split, type CallItem, mergeKey } from './call-item.js'
import type { PlannedCalls } from './call-planner.js'
import { createItemCalls } from './item-calls.js'
import { clocksDifferByMs, createSendSubscriptions } from './send-subscriptions.js'
import { type Send, isRepeat } from './send.js'
import { isDeepStrictEqual } from 'node:util'
import { groupBy } from '../../core/group-by.js'
import { keyFeatures } from '../klaviyo/key-scopes.js'
import type { BackInStockMessage, Message } from '../klaviyo/message.js'
import { mergeProfiles, type Profile } from '../klaviyo/profile.js'
import type { DeliveryStore } from './delivery-store.js'
import type { SendValues } from './sends-of-people.js'

/** So long after an event, Klaviyo may still be about to make its profile. */
const profileAppearsMs = 5 * 60_000
const firstLookAgainMs = 5_000

/** Without `subscribe`, no profile is created for a list: `docs/interface.md` (Lists). */
const profileNotFound: KlaviyoError = {
  code: 'PROFILE_NOT_FOUND',
  detail: 'Klaviyo has no profile with this email. None was created.',
}

/** A catalog without its scope gets no product. What waits for it goes on as soon as it has the scope. */
const catalogOffMs = 60 * 60_000

const variantNotFound: KlaviyoError = {
  code: 'VARIANT_NOT_FOUND',
  detail: 'Klaviyo’s catalog does not have this product.',
}

export type SendBatch = ReturnType<typeof createSendBatch>

/** Makes the planned calls and settles their sends. */
export function createSendBatch(
  shop: Shop,
  setup: Parameters<typeof createItemCalls>[1] &
    Omit<Parameters<typeof createSendSubscriptions>[1], 'calls'>,
) {
  const { waits } = shop
  const { klaviyo, store, budget } = setup
  const calls = createItemCalls(shop, setup)
  const subscriptions = createSendSubscriptions(shop, { ...setup, calls })

  async function sendEvents(items: readonly CallItem[], planned: PlannedCalls): Promise<void> {
    const events = items.filter(isItemOf('event'))
    // Without its refused value, a profile may belong to another person than the event that follows.
    const others = items.filter(({ message }) => message.kind !== 'event')
    if (others.length > 0) await calls.giveBack(others)
    await calls.send(await withNewestProfiles(events, store), planned, (inCall, options) => {
      // The last send of an item is the event itself, so its time of acceptance counts.
      const dispatches = inCall.map(({ message, sends }) => ({
        message,
        acceptedAt: (sends.at(-1) as Send).acceptedAt,
      }))
      const [only] = dispatches
      return planned.isOneByOne && only
        ? klaviyo.trackEvent(only, options)
        : klaviyo.trackEvents(dispatches, options)
    })
  }

  async function addToList(items: readonly CallItem[], planned: PlannedCalls): Promise<void> {
    const { apiKey, group } = planned
    const { list = '' } = group
    const looked = await calls.lookUp('find-profiles', { items, apiKey }, (asked, options) =>
      klaviyo.findProfiles(asked.map(emailOf), options),
    )
    const ids = new Map(looked.map(({ item, found }) => [item, found.ids.get(emailOf(item))]))
    const [there, missing] = split(looked, ({ item }) => ids.get(item) !== undefined)
    const lookAgainAt = await whenToLookAgain(missing.map(({ item }) => item))
    await Promise.all(
      missing.map(({ item, found }) => {
        const at = lookAgainAt(item)
        return at ? calls.giveBack([item], at) : calls.skip(item, profileNotFound, found.trace)
      }),
    )
    const found = there.map(({ item }) => item)
    await calls.send(found, planned, (inCall, options) =>
      klaviyo.addToList(
        inCall.flatMap((item) => ids.get(item) ?? []),
        { ...options, list },
      ),
    )
  }

  const isCatalogOff = (): boolean => {
    const lacking = budget.lackingScope()
    return keyFeatures.catalog.calls.some((call) => lacking.includes(call))
  }

  /** Klaviyo does not say what becomes of a variant that it gets later, so the catalog has to know that it is there. */
  async function askForBackInStock(
    items: readonly CallItem<BackInStockMessage>[],
    planned: PlannedCalls,
  ): Promise<void> {
    const known = await store.knownVariants(items.map(({ message }) => message.variant))
    const [there, early] = split(items, ({ message }) => known.has(message.variant))
    if (isCatalogOff()) await calls.giveBack(early, new Date(waits.now().getTime() + catalogOffMs))
    else await Promise.all(early.map((item) => calls.putOff(item, variantNotFound)))
    // Without a call nobody learns whether Klaviyo is back, so another probe must not go at once.
    if (there.length === 0) return
    await calls.send(there, planned, (inCall, options) => {
      const [{ message }] = inCall as [CallItem<BackInStockMessage>]
      return klaviyo.askForBackInStock(message, options)
    })
  }

  /** When to look again for profiles that Klaviyo does not have: it makes the profile of an event after its answer. */
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

  /** @param filled The sends of each part, with their messages. */
  return async (filled: readonly Send[][], planned: PlannedCalls): Promise<void> => {
    const items = filled.flatMap(mergeSends)
    switch (planned.group.kind) {
      case 'event':
      case 'past-event':
        return sendEvents(items, planned)
      case 'identify':
        return calls.send(await withNewestProfiles(items, store), planned, ([item], options) =>
          klaviyo.saveProfile(item?.message.profile ?? {}, options),
        )
      case 'list-add':
        return addToList(items, planned)
      case 'subscribe':
      case 'consent':
        return subscriptions.subscribe(items.filter(isItemOf('subscribe')), planned)
      case 'erase':
        return calls.send(items.filter(isItemOf('erase')), planned, ([item], options) =>
          klaviyo.deleteProfile(item?.message.profile ?? {}, options),
        )
      case 'unsubscribe':
        return subscriptions.unsubscribe(items.filter(isItemOf('unsubscribe')), planned)
      case 'back-in-stock':
        return askForBackInStock(items.filter(isItemOf('back-in-stock')), planned)
    }
  }
}

/** The name of the queue of the item's person. */
const profileOf = ({ sends }: CallItem): string => sends[0]?.profile ?? ''

const emailOf = ({ message }: CallItem): string => message.profile.email?.toLowerCase() ?? ''

/**
 * A send that is sent again gets the newest values of its profile: a later send of a lost call may have
 * set them, and when a merchant resends it, later sends surely have.
 */
export async function withNewestProfiles<Kind extends Message>(
  items: readonly CallItem<Kind>[],
  store: Pick<DeliveryStore, 'readRepeats' | 'readSentAfter'>,
): Promise<readonly CallItem<Kind>[]> {
  const firstIds = new Map<string, number>()
  for (const { id, profile } of items.flatMap(({ sends }) => sends).filter(isRepeat)) {
    firstIds.set(profile, Math.min(id, firstIds.get(profile) ?? id))
  }
  if (firstIds.size === 0) return items
  const repeats = await store.readRepeats([...firstIds.keys()])
  const sent = await store.readSentAfter([...firstIds].map(([profile, id]) => ({ profile, id })))
  const withSent = withLaterValues(items, sent, () => false)
  const newest = withLaterValues(items, [...sent, ...repeats], isRepeat)
  return newest.map((item, place) => {
    const withoutRepeats = withSent[place]?.message
    const isSame = isDeepStrictEqual(item.message.profile, withoutRepeats?.profile)
    return withoutRepeats === undefined || isSame ? item : { ...item, withoutRepeats }
  })
}

/**
 * Gives each repeat the values of its person that came later, in the order of the sends.
 *
 * @param others Values of sends that are not in these items.
 * @param isForOthers Whether earlier items get the values of a send in a later item.
 */
function withLaterValues<Kind extends Message>(
  items: readonly CallItem<Kind>[],
  others: readonly SendValues[],
  isForOthers: (send: Send) => boolean,
): CallItem<Kind>[] {
  const sorted = others.toSorted((first, second) => first.id - second.id)
  const othersOf = groupBy(sorted, ({ profile }) => mergeKey(profile))
  // From the last item to the first, so that each value is merged once.
  const laterOf = new Map<string, Profile>()
  const newest = items.toReversed().map((item) => {
    const key = mergeKey(item.message.profile)
    let ofItem = laterOf.get(key)
    for (const send of item.sends.toReversed()) {
      for (const { profile } of takeLast(othersOf.get(key), send.id)) {
        ofItem = inFrontOf(ofItem, profile)
        laterOf.set(key, inFrontOf(laterOf.get(key), profile))
      }
      const { profile } = send.message
      ofItem = inFrontOf(ofItem, profile)
      if (isForOthers(send)) laterOf.set(key, inFrontOf(laterOf.get(key), profile))
    }
    if (!ofItem || !item.sends.some(isRepeat)) return item
    return { ...item, message: { ...item.message, profile: ofItem } }
  })
  return newest.toReversed()
}

/** Takes out the values that came after a send, the last first. */
const takeLast = (values: SendValues[] = [], id: number): SendValues[] =>
  values.splice(values.findLastIndex((one) => one.id <= id) + 1).reverse()

const inFrontOf = (later: Profile = {}, profile: Profile): Profile => mergeProfiles(profile, later)
