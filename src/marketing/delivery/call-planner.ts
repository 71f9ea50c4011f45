import type { Shop } from '../../core/shop.js'
import { bulkBytes, callLimits } from '../klaviyo/limits.js'
import type { CallBudget, Permit } from './call-budget.js'
import { callsFor, lookUpsFor } from './calls-for.js'
import { fewWaiting, nextCall, type CallCapacity } from './next-call.js'
import type { ProfileQueue, ProfileQueues } from './profile-queues.js'
import type { SendKind, WaitingSend } from './send.js'

/** What all sends of a call have in common. */
interface BatchKey {
  kind: SendKind
  batchSize: number
  /** For list adds and subscriptions. */
  list: string | undefined
}

/** Sends that may share a call. */
interface Batch extends BatchKey {
  parts: BatchPart[]
  /** How many items the call has: events, or profiles. */
  items: number
  /** How many items fill the call. */
  full: number
  /** Whether more such sends wait than the call takes. */
  isMore: boolean
  /** When the oldest send became due, in milliseconds since 1970. */
  dueSince: number
}

interface BatchPart {
  queue: ProfileQueue
  sends: WaitingSend[]
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
  { queues, budget }: { queues: ProfileQueues; budget: CallBudget },
) {
  /** Both are read at the same moment: capacity that appears a moment later must not change one of them only. */
  function capacitiesFor(kind: SendKind, apiKey: string, now: number) {
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
  const given = moments.filter((at) => at !== undefined)
  return given.length === 0 ? undefined : Math.min(...given)
}

/** The next sends of a kind that may share a call; they stay in their queues. */
export function nextBatch(
  front: Iterable<ProfileQueue>,
  kind: SendKind,
  { now, most = Infinity }: { now: number; most?: number },
): Batch | undefined {
  let batch: Batch | undefined
  let bytesLeft = bulkBytes
  for (const queue of front) {
    const dueAt = dueAtOf(queue, kind)
    if (dueAt > now) continue
    const key = batchKeyOf(queue, kind)
    if (batch === undefined) {
      const full = Math.min(key.batchSize, itemsInCall(kind))
      batch = { ...key, parts: [], items: 0, full, isMore: false, dueSince: dueAt }
    } else if (!hasSameKey(batch, key)) continue
    const limit = Math.min(batch.full, most) - batch.items
    if (limit <= 0) return { ...batch, isMore: true }
    const { items, ...part } = partOf(queue, key, { now, limit })
    bytesLeft -= part.sends.reduce((sum, send) => sum + send.bytes, 0)
    if (batch.items > 0 && bytesLeft < 0) return { ...batch, isMore: true }
    batch.parts.push(part)
    batch.items += items
    batch.dueSince = Math.min(batch.dueSince, dueAt)
  }
  return batch
}

/** The item that becomes due first, as a batch of one, for the first call after a pause. */
function soonestItem(front: Iterable<ProfileQueue>, kind: SendKind): Batch | undefined {
  let soonest: ProfileQueue | undefined
  let soonestAt = Infinity
  for (const queue of front) {
    const dueAt = dueAtOf(queue, kind)
    if (soonest !== undefined && dueAt >= soonestAt) continue
    soonest = queue
    soonestAt = dueAt
  }
  return soonest && nextBatch([soonest], kind, { now: soonestAt, most: 1 })
}

/** The first parts of a batch, cut to one item each, for calls that take one item. */
const singleParts = ({ parts, kind }: Batch, count: number): BatchPart[] =>
  parts.slice(0, count).map(({ queue, sends }) => {
    const end = sends.findIndex((send) => send.kind === kind)
    return { queue, sends: isOfEvents(kind) ? sends.slice(0, end + 1) : sends }
  })

/** How many items go at once: in one call or, where only single calls are, in as many calls. */
function itemsInCall(kind: SendKind): number {
  const { many } = callsFor(kind)
  return many ? callLimits[many].items : fewWaiting
}

const isOfEvents = (kind: SendKind) => kind === 'event' || kind === 'past-event'

/** An event waits for the identifies before it, because they share its call. */
function dueAtOf({ sends }: ProfileQueue, kind: SendKind): number {
  let dueAt = 0
  for (const send of sends) {
    dueAt = Math.max(dueAt, send.dueAt)
    if (send.kind === kind) break
  }
  return dueAt
}

function batchKeyOf({ sends: [first] }: ProfileQueue, kind: SendKind): BatchKey {
  return { kind, batchSize: first?.batchSize ?? 1, list: first?.list }
}

const hasSameKey = (one: BatchKey, other: BatchKey) =>
  one.batchSize === other.batchSize && one.list === other.list

/** A bound, so that a look at a queue costs the same however long it is. */
const sendsOfQueue = 1_000

/** The sends at the head of a queue that go into the call: one item, or one for each event. */
function partOf(
  queue: ProfileQueue,
  { kind, batchSize, list }: BatchKey,
  { now, limit }: { now: number; limit: number },
): BatchPart & { items: number } {
  const canShareBatch = (send: WaitingSend) =>
    send.dueAt <= now &&
    send.batchSize === batchSize &&
    send.list === list &&
    (send.kind === kind || (kind === 'event' && send.kind === 'identify' && batchSize > 1))
  const most = isOfEvents(kind) || batchSize > 1 ? sendsOfQueue : 1
  const sends: WaitingSend[] = []
  let [events, end] = [0, 0]
  for (const send of queue.sends) {
    if (sends.length === most || events === limit || !canShareBatch(send)) break
    sends.push(send)
    // Identifies after the last event go in a call of their own.
    if (isOfEvents(kind) && send.kind === kind) [events, end] = [events + 1, sends.length]
  }
  return isOfEvents(kind)
    ? { queue, sends: sends.slice(0, end), items: events }
    : { queue, sends, items: 1 }
}
