import type { PlatformBounds } from '../marketing/platform.js'
import {
  callsFor,
  nextBatch,
  singleParts,
  soonestItem,
  type Batch,
  type BatchGroup,
  type BatchPart,
} from './batch.js'
import type { CallBudget, Permit } from './call-budget.js'
import type { Clock } from './clock.js'
import { fewWaiting, nextCall, type CallRoom } from './next-call.js'
import type { ProfileQueues } from './profile-queues.js'
import type { SendKind } from './send.js'

export interface CallPlannerParts {
  queues: ProfileQueues
  budget: CallBudget
  bounds: PlatformBounds
  clock: Clock
}

/** Calls that are about to be made: one for all parts, or one for each. */
export interface PlannedCalls {
  group: BatchGroup
  parts: BatchPart[]
  permits: Permit[]
  apiKey: string
  isOneByOne: boolean
}

/** Chooses the next calls for what waits of a kind: those to make now, or when to look again. */
export function createCallPlanner({ queues, budget, bounds, clock }: CallPlannerParts) {
  return (kind: SendKind, apiKey: string): PlannedCalls | { nextAt: number | undefined } => {
    const now = clock.now().getTime()
    const front = queues.front(kind)
    const batch = nextBatch(front, kind, { now, bounds }) ?? soonestItem(front, kind, bounds)
    if (batch === undefined) return { nextAt: undefined }

    const { single, many } = callsFor(batch)
    // All at one moment: what is free a little later would never be free now.
    const bulk = paced(kind, budget.roomFor(many, apiKey, now))
    const one = single && budget.roomFor(single, apiKey, now)
    const first = one ?? bulk
    // What is put off looks all the same whether the platform is back.
    if (batch.dueSince > now && !first.isProbe) {
      return { nextAt: soonest([batch.dueSince, first.probeAt]) }
    }
    const decision = nextCall({ ...waitingIn(batch, now), single: one, bulk })
    if (decision.do === 'wait') return { nextAt: decision.until }
    const isOneByOne = decision.do === 'single' && single !== undefined
    const permits = isOneByOne
      ? budget.take(single, apiKey, Math.min(decision.calls, batch.parts.length))
      : budget.take(many, apiKey, 1)
    if (permits.length === 0) return { nextAt: (isOneByOne ? first : bulk).nextAt }
    const parts = isOneByOne || decision.isProbe ? singleParts(batch, permits.length) : batch.parts
    return { group: batch, permits, apiKey, isOneByOne, parts }
  }
}

const waitingIn = ({ items, isMore, full, dueSince }: Batch, now: number) => ({
  // Counted up to more than few: the call takes no more of them.
  count: isMore ? Math.max(items, fewWaiting + 1) : items,
  dueSince: Math.min(dueSince, now),
  now,
  full,
})

/** The history leaves room for what happens now: no call of it comes at the cost of another. */
const paced = (kind: SendKind, room: CallRoom): CallRoom =>
  kind === 'past-event'
    ? { ...room, nextAt: Math.max(room.nextAt, room.lastAt + room.paceMs) }
    : room

/** The earliest of these moments; undefined when there is none. */
export function soonest(moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((at) => at !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
