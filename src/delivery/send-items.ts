import type { CallAnswer, CallOptions, Outcome } from '../marketing/platform.js'
import type { Slot } from './call-budget.js'
import { personOf, type CallItem } from './call-item.js'
import type { LaneRun } from './lane.js'
import type { PlatformCalls } from './platform-call.js'

/** All items in one call. */
export async function sendTogether<Item extends CallItem>(
  calls: PlatformCalls,
  run: LaneRun,
  { items, make }: { items: Item[]; make: (options: CallOptions) => Promise<CallAnswer> },
): Promise<void> {
  const [slot] = run.slots
  if (slot === undefined) return
  if (items.length === 0) return calls.leave(slot)
  const { apiKey, claim } = run
  const { leaseUntil } = claim
  const answer = await calls.make({ slot, apiKey, leaseUntil, items: items.length, make })
  if (answer === undefined) return run.giveBack(items.flatMap(({ sends }) => sends))
  await settledAnd(calls.report([slot], [answer]), () => {
    items.forEach((item, index) =>
      run.settle(item, answer.outcomes[index] ?? unanswered, items.length),
    )
  })
}

/** An adapter answers for each item; were one left out, it would be tried again, not lost. */
const unanswered: Outcome = {
  is: 'later',
  error: { code: 'UNREADABLE_ANSWER', detail: 'The answer says nothing of this item.' },
  costsAttempt: true,
}

/** One call for one item. */
export interface SingleCall<Item extends CallItem> {
  item: Item
  slot: Slot
  make: (options: CallOptions) => Promise<CallAnswer>
}

/** Each item in a call of its own: people at the same time, each person's one after the other. */
export async function sendOneByOne<Item extends CallItem>(
  calls: PlatformCalls,
  run: LaneRun,
  singles: readonly SingleCall<Item>[],
): Promise<void> {
  const answers = new Map<Slot, CallAnswer>()
  const send = async ({ item, slot, make }: SingleCall<Item>): Promise<boolean> => {
    const { apiKey, claim } = run
    const { leaseUntil } = claim
    const answer = await calls.make({ slot, apiKey, leaseUntil, items: 1, make })
    if (answer === undefined) return false
    answers.set(slot, answer)
    const outcome = answer.outcomes[0] ?? unanswered
    run.settle(item, outcome, 1)
    return isOver(outcome)
  }
  const sendInOrder = async (chain: SingleCall<Item>[]): Promise<void> => {
    const rest = [...chain]
    for (const single of chain) {
      const isDone = await send(single)
      if (isDone || answers.has(single.slot)) rest.shift()
      if (!isDone) break
    }
    run.giveBack(rest.flatMap(({ item }) => item.sends))
  }
  await Promise.all(chainsOf(singles).map(sendInOrder))

  const slots = [...answers.keys()]
  await Promise.all(
    [...new Set(slots.map(({ call }) => call))].map((call) => {
      const asked = slots.filter((slot) => slot.call === call)
      return calls.report(
        asked,
        asked.flatMap((slot) => answers.get(slot) ?? []),
      )
    }),
  )
}

/** Whether the person's next send may follow. */
const isOver = ({ is }: Outcome) => is === 'delivered' || is === 'refused' || is === 'skipped'

function chainsOf<Item extends CallItem>(
  singles: readonly SingleCall<Item>[],
): SingleCall<Item>[][] {
  const chains = new Map<string, SingleCall<Item>[]>()
  for (const single of singles) {
    const person = personOf(single.item.message.profile)
    const chain = chains.get(person)
    if (chain === undefined) chains.set(person, [single])
    else chain.push(single)
  }
  return [...chains.values()]
}

/** What was learned is told first, so that a pause is known before the sends are due again. */
async function settledAnd(report: Promise<void>, settle: () => void): Promise<void> {
  try {
    await report
  } finally {
    settle()
  }
}
