import type { ProfileQueue, ProfileQueues } from './profile-queues.js'
import type { SendKind, WaitingSend } from './send.js'

/** Sends that may share a call. */
export interface Batch {
  kind: SendKind
  batchSize: number
  /** For list adds and subscriptions. */
  list: string | undefined
  /** For list adds: whether the platform has the profiles for certain. */
  isProfileKnown: boolean
  parts: BatchPart[]
  /** Items of the call: events, or profiles. */
  items: number
  /** Whether more of them wait than the call takes. */
  isMore: boolean
  /** Since when the oldest has been due, milliseconds since 1970. */
  dueSince: number
}

/** The first sends of a queue. */
export interface BatchPart {
  queue: ProfileQueue
  sends: WaitingSend[]
}

export interface BatchLimits {
  now: number
  /** Items that the call for such sends takes. */
  itemsOf: (group: BatchGroup) => number
  bytes: number
  /** The first call after a pause takes one item, and whichever waits the shortest. */
  isProbe: boolean
}

/** What all sends of a call have in common. */
export type BatchGroup = Pick<Batch, 'kind' | 'batchSize' | 'list' | 'isProfileKnown'>

/** The next sends of a kind that may share a call; undefined when none is due. Takes none out. */
export function nextBatch(
  queues: ProfileQueues,
  kind: SendKind,
  { now, itemsOf, bytes, isProbe }: BatchLimits,
): Batch | undefined {
  const front = isProbe ? soonest(queues.front(kind), kind) : queues.front(kind)
  let batch: Batch | undefined
  let bytesLeft = bytes
  let limit = 0
  for (const queue of front) {
    const dueAt = dueAtOf(queue, kind)
    if (dueAt > now && !isProbe) continue
    const group = groupOf(queue, kind, now)
    if (batch === undefined) {
      batch = { ...group, parts: [], items: 0, isMore: false, dueSince: dueAt }
      limit = isProbe ? 1 : Math.min(group.batchSize, itemsOf(group))
    } else if (!isSame(batch, group)) continue
    if (batch.items >= limit) return { ...batch, isMore: true }
    const wish = { group, now: Math.max(now, dueAt), limit: limit - batch.items }
    const { items, ...part } = partOf(queue, wish)
    bytesLeft -= part.sends.reduce((sum, send) => sum + send.bytes, 0)
    if (batch.items > 0 && bytesLeft < 0) return { ...batch, isMore: true }
    batch.parts.push(part)
    batch.items += items
    batch.dueSince = Math.min(batch.dueSince, dueAt)
  }
  return batch
}

/** When the next send of a kind falls due; undefined when none waits for its moment. */
export function nextDueAt(queues: ProfileQueues, kind: SendKind): number | undefined {
  const [queue] = soonest(queues.front(kind), kind)
  return queue && dueAtOf(queue, kind)
}

/** The first of a batch, each with one item: for calls of one item each. */
export const singleParts = ({ parts, kind }: Batch, count: number): BatchPart[] =>
  parts.slice(0, count).map(({ queue, sends }) => {
    const end = sends.findIndex((send) => send.kind === kind)
    return { queue, sends: kind === 'event' ? sends.slice(0, end + 1) : sends }
  })

function soonest(front: Iterable<ProfileQueue>, kind: SendKind): ProfileQueue[] {
  let found: ProfileQueue | undefined
  let foundAt = Number.POSITIVE_INFINITY
  for (const queue of front) {
    const dueAt = dueAtOf(queue, kind)
    if (found !== undefined && dueAt >= foundAt) continue
    found = queue
    foundAt = dueAt
  }
  return found === undefined ? [] : [found]
}

/** Identifies that go along with an event wait until it is due as well. */
function dueAtOf({ sends }: ProfileQueue, kind: SendKind): number {
  let dueAt = 0
  for (const send of sends) {
    dueAt = Math.max(dueAt, send.dueAt)
    if (send.kind === kind) break
  }
  return dueAt
}

function groupOf({ sends, knownUntil }: ProfileQueue, kind: SendKind, now: number): BatchGroup {
  const [first] = sends
  const isKnown = Math.max(knownUntil, first?.knownUntil ?? 0) > now
  return {
    kind,
    batchSize: first?.batchSize ?? 1,
    list: first?.list,
    isProfileKnown: kind === 'list-add' && isKnown,
  }
}

const isSame = (one: BatchGroup, other: BatchGroup) =>
  one.batchSize === other.batchSize &&
  one.list === other.list &&
  one.isProfileKnown === other.isProfileKnown

interface PartWish {
  group: BatchGroup
  now: number
  limit: number
}

/** The first sends of a queue that go into the call, which are one item or, of events, several. */
function partOf(
  queue: ProfileQueue,
  { group, now, limit }: PartWish,
): BatchPart & { items: number } {
  const { kind, batchSize, list } = group
  const isEvents = kind === 'event' || kind === 'past-event'
  const goesAlong = (send: WaitingSend) =>
    send.dueAt <= now &&
    send.batchSize === batchSize &&
    send.list === list &&
    (send.kind === kind || (kind === 'event' && send.kind === 'identify' && batchSize > 1))
  const end = queue.sends.findIndex((send) => !goesAlong(send))
  const along = end === -1 ? queue.sends.slice() : queue.sends.slice(0, end)
  if (!isEvents) return { queue, sends: batchSize === 1 ? along.slice(0, 1) : along, items: 1 }
  // What identifies say behind the last event goes by itself.
  const events = along.filter((send) => send.kind === kind).slice(0, limit)
  const sends = along.slice(0, along.findLastIndex((send) => events.includes(send)) + 1)
  return { queue, sends, items: events.length }
}
