import type { CallName, PlatformBounds } from '../marketing/platform.js'
import { nextBatch, nextDueAt, singleParts, type Batch, type BatchGroup } from './batch.js'
import type { CallBudget } from './call-budget.js'
import type { Clock } from './clock.js'
import { fewWaiting, nextCall, type CallRoom, type NextCall } from './next-call.js'
import type { ProfileQueues } from './profile-queues.js'
import type { PlannedCalls } from './send-batch.js'
import type { SendKind } from './send.js'

export interface CallPlannerParts {
  queues: ProfileQueues
  budget: CallBudget
  bounds: PlatformBounds
  clock: Clock
}

/** The calls to make now, with their permits; otherwise when to look again, if anything waits. */
export type CallPlan = PlannedCalls | { nextAt: number | undefined }

/** Chooses the next calls for what waits of a kind. */
export function createCallPlanner({ queues, budget, bounds, clock }: CallPlannerParts) {
  const itemsOf = (group: BatchGroup) => bounds.calls[callsFor(group).many].items

  return (kind: SendKind, apiKey: string): CallPlan => {
    const now = clock.now().getTime()
    const limits = { now, itemsOf, bytes: bounds.bulkBytes }
    const due = nextBatch(queues, kind, { ...limits, isProbe: false })
    const batch = due ?? nextBatch(queues, kind, { ...limits, isProbe: true })
    if (batch === undefined) return { nextAt: undefined }

    const { single, many } = callsFor(batch)
    const bulk = paced(kind, budget.roomFor(many, apiKey))
    const one = single && budget.roomFor(single, apiKey)
    const first = one ?? bulk
    // What is put off looks all the same whether the platform is back.
    if (due === undefined && !first.isProbe) {
      return { nextAt: soonest([nextDueAt(queues, kind), first.probeAt]) }
    }
    const decision = nextCall({
      count: countOf(batch),
      dueSince: Math.min(batch.dueSince, now),
      now,
      full: Math.min(itemsOf(batch), batch.batchSize),
      single: one,
      bulk,
    })
    if (decision.do === 'wait') return { nextAt: decision.until }
    const isOneByOne = decision.do === 'single' && single !== undefined
    const permits = isOneByOne
      ? budget.take(single, apiKey, Math.min(decision.calls, batch.parts.length))
      : budget.take(many, apiKey, 1)
    if (permits.length === 0) return { nextAt: (isOneByOne ? first : bulk).nextAt }
    const parts = partsFor(batch, decision, permits.length)
    return { group: batch, permits, isOneByOne, parts }
  }
}

/** Counted up to more than few: the call takes no more of them. */
const countOf = ({ isMore, items }: Batch) => (isMore ? Math.max(items, fewWaiting + 1) : items)

const partsFor = (batch: Batch, decision: NextCall, calls: number) =>
  decision.do === 'single' || (decision.do === 'bulk' && decision.isProbe)
    ? singleParts(batch, calls)
    : batch.parts

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

/** The call for one send, where there is one, and the call for many. */
function callsFor({ kind, isProfileKnown }: BatchGroup): { single?: CallName; many: CallName } {
  switch (kind) {
    case 'event':
      return { single: 'event', many: 'events' }
    case 'past-event':
      return { many: 'events' }
    case 'identify':
      return { single: 'profile', many: 'profiles' }
    case 'list-add':
      return { many: isProfileKnown ? 'profiles' : 'list-members' }
    case 'subscribe':
      return { many: 'subscribe' }
  }
}
