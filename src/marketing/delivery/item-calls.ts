import type { Shop } from '../../core/shop.js'
import type {
  CallAnswer,
  CallOptions,
  KlaviyoError,
  Outcome,
  Reply,
} from '../klaviyo/call-answer.js'
import { callLimits } from '../klaviyo/limits.js'
import type { Message } from '../klaviyo/message.js'
import type { CallTrace } from './attempt.js'
import type { CallBudget, Permit } from './call-budget.js'
import { settleItem, type CallItem } from './call-item.js'
import type { PlannedCalls } from './call-planner.js'
import type { KlaviyoCall } from './klaviyo-call.js'
import type { Settlement } from './send.js'

/** Short enough that the call that follows fits into the same lease. */
const longestLookUpMs = 3_000

type MakeCall<Kind extends Message> = (
  inCall: readonly CallItem<Kind>[],
  options: CallOptions,
) => Promise<CallAnswer>

export type ItemCalls = ReturnType<typeof createItemCalls>

/** Makes calls with items, and settles the sends of each item. */
export function createItemCalls(
  { waits, effects }: Shop,
  setup: {
    budget: CallBudget
    klaviyoCall: KlaviyoCall
    settle: (settlements: readonly Settlement[]) => Promise<void>
  },
) {
  const { budget, klaviyoCall } = setup

  async function settle(
    items: readonly CallItem[],
    outcomeOf: (place: number) => Outcome,
    trace: CallTrace,
  ): Promise<void> {
    const isAlone = items.length === 1
    const settled = items.map((item, place) => {
      const step = { isAlone, now: waits.now(), random: effects.random(), trace }
      return setup.settle(settleItem(item, outcomeOf(place), step))
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

  async function makeCall<Kind extends Message>(
    inCall: readonly CallItem<Kind>[],
    permit: Permit | undefined,
    make: MakeCall<Kind>,
  ): Promise<void> {
    const answer =
      permit &&
      (await klaviyoCall.call({
        permit,
        items: inCall.length,
        make: (options) => make(inCall, options),
      }))
    if (permit === undefined || answer === undefined) return giveBack(inCall)
    const ownItem = isRefused(answer) ? withoutRepeats(inCall) : undefined
    if (ownItem) {
      const [next] = budget.take(permit.call, permit.apiKey, 1)
      return makeCall([ownItem], next, make)
    }
    return settle(inCall, (place) => answer.outcomes[place] ?? unanswered, answer.trace)
  }

  return {
    giveBack,

    deliver: (item: CallItem, trace: CallTrace) =>
      settle([item], () => ({ is: 'delivered' }), trace),

    putOff: (item: CallItem, error: KlaviyoError) =>
      settle([item], () => ({ is: 'not-yet', error }), { at: waits.now() }),

    skip: (item: CallItem, error: KlaviyoError, trace: CallTrace) =>
      settle([item], () => ({ is: 'skipped', error }), trace),

    /** Makes the planned calls: one with all items, or one for each. */
    async send<Kind extends Message>(
      items: readonly CallItem<Kind>[],
      { permits, isOneByOne }: PlannedCalls,
      make: MakeCall<Kind>,
    ): Promise<void> {
      const calls = inBatches(items, isOneByOne ? 1 : Math.max(1, items.length))
      permits.slice(calls.length).forEach((permit) => budget.unused(permit))
      await Promise.all(calls.map((inCall, place) => makeCall(inCall, permits[place], make)))
    },

    /** Asks Klaviyo about items before they are sent. Items without an answer are settled. */
    async lookUp<Item extends CallItem, Result>(
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
    },
  }
}

/** The client returns an outcome for each item. A missing one must not lose a send. */
const unanswered: Outcome = {
  is: 'later',
  error: { code: 'UNREADABLE_ANSWER', detail: 'The answer says nothing of this item.' },
  costsAttempt: true,
}

const isRefused = ({ outcomes: [outcome] }: CallAnswer): boolean =>
  outcome?.is === 'refused' || outcome?.is === 'culpritUnknown' || outcome?.is === 'retryWithout'

/** An item that must be alone, without the values of other repeats, to find out whose value is refused. */
function withoutRepeats<Kind extends Message>([item]: readonly CallItem<Kind>[]) {
  const isAlone = item?.sends.some(({ batchSize }) => batchSize === 1)
  return isAlone && item?.withoutRepeats
    ? { message: item.withoutRepeats, sends: item.sends }
    : undefined
}

/** A refused look-up does not say which email was bad. */
const outcomeOfLookUp = (outcome: Outcome, itemsInCall: number): Outcome =>
  outcome.is === 'refused' && itemsInCall > 1
    ? { is: 'culpritUnknown', error: outcome.error }
    : outcome

const inBatches = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
