import type { CallName, PlatformBounds } from '../marketing/platform.js'
import type { ProfileQueue } from './profile-queues.js'
import type { SendKind, WaitingSend } from './send.js'

/** What all sends of a call have in common. */
export interface BatchGroup {
  kind: SendKind
  batchSize: number
  /** For list adds and subscriptions. */
  list: string | undefined
  /** For list adds: whether the platform has the profiles for certain. */
  isProfileKnown: boolean
}

/** Sends that may share a call. */
export interface Batch extends BatchGroup {
  parts: BatchPart[]
  /** Items of the call: events, or profiles. */
  items: number
  /** Items that fill the call. */
  full: number
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

/** The next sends of a kind that may share a call; undefined when none is due. Takes none out. */
export function nextBatch(
  front: Iterable<ProfileQueue>,
  kind: SendKind,
  { now, bounds, most = Infinity }: { now: number; bounds: PlatformBounds; most?: number },
): Batch | undefined {
  let batch: Batch | undefined
  let bytesLeft = bounds.bulkBytes
  for (const queue of front) {
    const dueAt = dueAtOf(queue, kind)
    if (dueAt > now) continue
    const group = groupOf(queue, kind, now)
    if (batch === undefined) {
      const full = Math.min(group.batchSize, bounds.calls[callsFor(group).many].items)
      batch = { ...group, parts: [], items: 0, full, isMore: false, dueSince: dueAt }
    } else if (!isSame(batch, group)) continue
    const limit = Math.min(batch.full, most) - batch.items
    if (limit <= 0) return { ...batch, isMore: true }
    const { items, ...part } = partOf(queue, group, { now, limit })
    bytesLeft -= part.sends.reduce((sum, send) => sum + send.bytes, 0)
    if (batch.items > 0 && bytesLeft < 0) return { ...batch, isMore: true }
    batch.parts.push(part)
    batch.items += items
    batch.dueSince = Math.min(batch.dueSince, dueAt)
  }
  return batch
}

/** The item that waits the shortest, before it is due: for the first call after a pause. */
export function soonestItem(
  front: Iterable<ProfileQueue>,
  kind: SendKind,
  bounds: PlatformBounds,
): Batch | undefined {
  let soonest: ProfileQueue | undefined
  let soonestAt = Infinity
  for (const queue of front) {
    const dueAt = dueAtOf(queue, kind)
    if (soonest !== undefined && dueAt >= soonestAt) continue
    soonest = queue
    soonestAt = dueAt
  }
  return soonest && nextBatch([soonest], kind, { now: soonestAt, bounds, most: 1 })
}

/** The first of a batch, each with one item: for calls of one item each. */
export const singleParts = ({ parts, kind }: Batch, count: number): BatchPart[] =>
  parts.slice(0, count).map(({ queue, sends }) => {
    const end = sends.findIndex((send) => send.kind === kind)
    return { queue, sends: isOfEvents(kind) ? sends.slice(0, end + 1) : sends }
  })

/** The call for one send, where there is one, and the call for many. */
export function callsFor({ kind, isProfileKnown }: BatchGroup): {
  single?: CallName
  many: CallName
} {
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

const isOfEvents = (kind: SendKind) => kind === 'event' || kind === 'past-event'

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

/** The first sends of a queue that go into the call, which are one item or, of events, several. */
function partOf(
  queue: ProfileQueue,
  { kind, batchSize, list }: BatchGroup,
  { now, limit }: { now: number; limit: number },
): BatchPart & { items: number } {
  const goesAlong = (send: WaitingSend) =>
    send.dueAt <= now &&
    send.batchSize === batchSize &&
    send.list === list &&
    (send.kind === kind || (kind === 'event' && send.kind === 'identify' && batchSize > 1))
  const end = queue.sends.findIndex((send) => !goesAlong(send))
  const along = end === -1 ? queue.sends.slice() : queue.sends.slice(0, end)
  if (!isOfEvents(kind)) {
    return { queue, sends: batchSize === 1 ? along.slice(0, 1) : along, items: 1 }
  }
  // What identifies say behind the last event goes by itself.
  const events = along.filter((send) => send.kind === kind).slice(0, limit)
  const sends = along.slice(0, along.findLastIndex((send) => events.includes(send)) + 1)
  return { queue, sends, items: events.length }
}
