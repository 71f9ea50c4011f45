import type { Shop } from '../../core/shop.js'
import {
  callsFor,
  lookUpsFor,
  nextBatch,
  singleParts,
  soonestItem,
  type Batch,
  type BatchKey,
  type BatchPart,
} from './batch.js'
import type { CallBudget, Permit } from './call-budget.js'
import { fewWaiting, nextCall, type CallCapacity, type CallQuestion } from './next-call.js'
import type { ProfileQueues } from './profile-queues.js'
import type { SendKind } from './send.js'

interface CallPlannerSetup {
  queues: ProfileQueues
  budget: CallBudget
}

/** Calls that are about to be made: one for all parts, or one for each part. */
export interface PlannedCalls {
  group: BatchKey
  parts: BatchPart[]
  permits: Permit[]
  apiKey: string
  isOneByOne: boolean
}

/** Chooses the calls to make now for a kind of send, or says when to look again. */
export function createCallPlanner(
  { waits }: Pick<Shop, 'waits'>,
  { queues, budget }: CallPlannerSetup,
) {
  /** Both are read at the same moment: capacity that appears a moment later must not change one of them only. */
  function capacitiesFor(kind: SendKind, apiKey: string, now: number): Capacities {
    const { single, many } = callsFor(kind)
    return {
      single: single && budget.capacityFor(single, apiKey, now),
      bulk: many && paced(kind, budget.capacityFor(many, apiKey, now)),
    }
  }

  function take(
    kind: SendKind,
    apiKey: string,
    { singleCalls }: { singleCalls: number },
  ): Permit[] {
    const { single, many } = callsFor(kind)
    const call = singleCalls > 0 ? single : many
    return call === undefined ? [] : budget.take(call, apiKey, Math.max(1, singleCalls))
  }

  return (kind: SendKind, apiKey: string): PlannedCalls | { nextAt: number | undefined } => {
    const now = waits.now().getTime()
    const front = queues.front(kind)
    const batch = nextBatch(front, kind, { now }) ?? soonestItem(front, kind)
    if (batch === undefined) return { nextAt: undefined }

    const { single, bulk } = capacitiesFor(kind, apiKey, now)
    const lookUps = lookUpsFor(kind).map((call) => budget.capacityFor(call, apiKey, now))
    const needed = [single ?? bulk, ...lookUps]
    // A probe is made even for a send that is not due yet, to find out whether Klaviyo is back.
    if (batch.dueSince > now && !needed.some((one) => one?.isProbe)) {
      return { nextAt: soonest([batch.dueSince, ...needed.map((one) => one?.probeAt)]) }
    }
    const decision = nextCall({ ...waitingIn(batch, now), single, bulk })
    if (decision.do === 'wait') return { nextAt: decision.until }
    const singleCalls = decision.do === 'single' ? Math.min(decision.calls, batch.parts.length) : 0
    const isOneByOne = singleCalls > 0
    const permits = take(kind, apiKey, { singleCalls })
    if (permits.length === 0) return { nextAt: (isOneByOne ? single : bulk)?.nextAt }
    const parts = isOneByOne || decision.isProbe ? singleParts(batch, permits.length) : batch.parts
    return { group: batch, permits, apiKey, isOneByOne, parts }
  }
}

type Capacities = Pick<CallQuestion, 'single' | 'bulk'>

const waitingIn = ({ items, isMore, full, dueSince }: Batch, now: number) => ({
  // When more sends wait than the call takes, the count must exceed the limit for single calls.
  count: isMore ? Math.max(items, fewWaiting + 1) : items,
  dueSince: Math.min(dueSince, now),
  now,
  full,
})

/** Past events are spread evenly over the minute, so that they leave capacity for current sends. */
const paced = (kind: SendKind, capacity: CallCapacity): CallCapacity =>
  kind === 'past-event'
    ? { ...capacity, nextAt: Math.max(capacity.nextAt, capacity.lastAt + capacity.paceMs) }
    : capacity

/** The earliest of these moments; undefined when there is none. */
export function soonest(moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((at) => at !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
