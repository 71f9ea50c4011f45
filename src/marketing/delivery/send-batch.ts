import type { Shop } from '../../core/shop.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import { isItemOf, mergeSends, split, type CallItem } from './call-item.js'
import type { PlannedCalls } from './call-planner.js'
import { createItemCalls } from './item-calls.js'
import { withNewestProfiles } from './newest-profiles.js'
import { clocksDifferByMs, createSendSubscriptions } from './send-subscriptions.js'
import type { Send } from './send.js'

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
export function createSendBatch(
  shop: Shop,
  setup: Parameters<typeof createItemCalls>[1] &
    Omit<Parameters<typeof createSendSubscriptions>[1], 'calls'>,
) {
  const { waits } = shop
  const { klaviyo, store } = setup
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
    }
  }
}

/** The name of the queue of the item's person. */
const profileOf = ({ sends }: CallItem): string => sends[0]?.profile ?? ''

const emailOf = ({ message }: CallItem): string => message.profile.email?.toLowerCase() ?? ''
