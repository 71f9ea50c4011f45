import type { CallName, Outcome, PlatformBounds } from '../marketing/platform.js'
import type { CallBudget, Slot } from './call-budget.js'
import { settleItem, type CallItem } from './call-item.js'
import type { Clock } from './clock.js'
import { nextCall, type CallRoom } from './next-call.js'
import { companyLimit, type Claim, type Lane, type Outbox, type SendGroup } from './outbox.js'
import { leaseMs, type PlatformCalls } from './platform-call.js'
import { retrySchedule } from './retry-schedule.js'
import { createSettler, type Settler } from './settler.js'
import type { Step, Worker } from './worker.js'

/** Sends in this worker's hands, with the calls that it may make for them. */
export interface LaneRun {
  group: SendGroup
  claim: Claim
  slots: Slot[]
  apiKey: string
  /** Whether each item has a call to itself. */
  isOneByOne: boolean
  /** Keeps what became of an item until it is written. `itemsInCall` says in what company it was. */
  settle(item: CallItem, outcome: Outcome, itemsInCall: number): void
  /** Back to the queue, due at that moment, as nothing was sent. */
  giveBack(sends: CallItem['sends'], dueAt?: Date): void
}

/** How a lane's sends go out. */
export interface LaneCalls {
  lane: Lane
  /** The call for one send, where there is one. */
  single?: CallName
  /** The call for many of a group, and how many sends fill it. */
  many(group: SendGroup): { call: CallName; full: number }
  run(run: LaneRun): Promise<void>
}

export interface LaneParts {
  outbox: Outbox
  budget: CallBudget
  calls: PlatformCalls
  bounds: PlatformBounds
  clock: Clock
  random: () => number
  /** The private API key; undefined when there is none. */
  apiKey(): Promise<string | undefined>
}

/**
 * While no call has a slot, what waits is looked at only this often, however many posts wake the lane:
 * with many waiting a look is dear. A pause that another process lifts is noticed that late.
 */
const closedLookMs = 500

/** After another worker was faster. */
const raceWaitMs = 50

/** A lane at work: looks what waits, decides, takes slots, claims, calls and settles. */
export function createLane(calls: LaneCalls, parts: LaneParts): Worker {
  const { outbox, budget, bounds, clock } = parts
  const { lane } = calls
  const countUpTo = Math.max(...groupsOf(lane).map((group) => calls.many(group).full))
  const inMs = (ms: number): Step => ({ nextAt: new Date(clock.now().getTime() + ms) })

  let closed: { until: number; nextAt: Date; apiKey: string } | undefined

  const next = async (): Promise<Step> => {
    const apiKey = await parts.apiKey()
    // Sends wait, and nobody knows how long.
    if (apiKey === undefined) return { nextAt: undefined }
    const isClosed = closed?.apiKey === apiKey && clock.now().getTime() < closed.until
    return isClosed && closed ? { nextAt: closed.nextAt } : look(apiKey)
  }

  const look = async (apiKey: string): Promise<Step> => {
    const waiting = await outbox.waiting(lane, { now: clock.now(), countUpTo })
    if (waiting === undefined) return { nextAt: await nextDueAt() }

    const { group, count, dueSince } = waiting
    const many = calls.many(group)
    const [single, bulk] = await Promise.all([
      calls.single && budget.look(calls.single, apiKey),
      budget.look(many.call, apiKey),
    ])
    const now = clock.now().getTime()
    const decision = nextCall({
      count,
      dueSince: dueSince.getTime(),
      now,
      full: Math.min(many.full, companyLimit[group.isolation]),
      single: single?.room,
      bulk: bulk.room,
    })
    if (decision.do === 'wait') {
      const opensAt = Math.min(bulk.room.nextAt, (single ?? bulk).room.nextAt)
      const until = Math.min(opensAt, now + closedLookMs)
      closed = { until, nextAt: new Date(decision.until), apiKey }
      return { nextAt: closed.nextAt }
    }

    const chosen = decision.do === 'single' && single ? single : bulk
    const slots = await chosen.take(decision.do === 'single' ? decision.calls : 1)
    if (slots.length === 0) return { nextAt: soonest(chosen.room, now) }
    const isProbe = slots.some((slot) => slot.isProbe)
    const sends = decision.do === 'single' ? slots.length : decision.items
    const claimed = await claim(group, isProbe ? 1 : sends)
    if (claimed === undefined) {
      await Promise.all(slots.map((slot) => budget.unused(slot)))
      return inMs(raceWaitMs)
    }
    const isOneByOne = decision.do === 'single'
    return { run: () => run({ group, claim: claimed, slots, apiKey, isOneByOne }) }
  }

  const claim = (group: SendGroup, limit: number): Promise<Claim | undefined> => {
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + leaseMs)
    return outbox.claim(group, { now, leaseUntil, limit, bytes: bounds.bulkBytes })
  }

  /** Later than now: a send that waits for another lane's is not due, whatever its own moment. */
  const nextDueAt = async (): Promise<Date | undefined> => {
    const now = clock.now()
    const dueAt = await outbox.nextDueAt(lane, now)
    return dueAt && dueAt > now ? dueAt : undefined
  }

  const run = async (given: Omit<LaneRun, 'settle' | 'giveBack'>): Promise<void> => {
    const settler = createSettler(outbox, given.claim, clock)
    try {
      await calls.run({ ...given, ...settling(settler) })
    } finally {
      await settler.finish()
    }
  }

  const settling = (settler: Settler): Pick<LaneRun, 'settle' | 'giveBack'> => ({
    settle(item, outcome, itemsInCall) {
      const context = {
        now: clock.now(),
        schedule: retrySchedule,
        random: parts.random(),
        isAlone: itemsInCall === 1,
      }
      settler.add(settleItem(item, outcome, context))
    },
    giveBack(sends, dueAt) {
      const nextAttemptAt = dueAt ?? clock.now()
      settler.add(sends.map(({ id, attempts }) => ({ id, to: 'queued', nextAttemptAt, attempts })))
    },
  })

  return { name: lane, next }
}

const soonest = (room: CallRoom, now: number) => new Date(Math.max(room.nextAt, now + raceWaitMs))

const groupsOf = (lane: Lane): SendGroup[] =>
  [true, false].map((isProfileKnown) => ({ lane, isolation: 0, list: '', isProfileKnown }))
