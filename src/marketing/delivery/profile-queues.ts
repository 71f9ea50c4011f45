import { apartMs } from './lost-calls.js'
import { areSameLanes, laneNames, usualLanes, type Lanes } from './lanes.js'
import { sendKinds, type SendKind, type WaitingSend } from './send.js'

/** The waiting sends of one profile in one lane, in the order in which they must be sent. */
export interface ProfileQueue {
  readonly name: string
  readonly profile: string
  readonly sends: WaitingSend[]
  /** Whether its first sends are in a call. */
  isBusy: boolean
  /** The kind of call that its first sends need; undefined while they cannot go. */
  head: SendKind | undefined
  /** The lanes by which its sends were chosen. */
  lanes: Lanes
}

/** The queues of all profiles. */
export function createProfileQueues() {
  const queues = new Map<string, ProfileQueue>()
  const waiting = new Map<number, { send: WaitingSend; queue: ProfileQueue }>()
  const counts = new Map<SendKind, number>()
  let lanes = usualLanes
  /** How many deletions of each profile wait. */
  const deletions = new Map<string, number>()
  const byHead = new Map(sendKinds.map((kind) => [kind, new Set<ProfileQueue>()]))

  const count = (kind: SendKind): number => counts.get(kind) ?? 0

  const lanesOf = (profile: string): Lanes => (deletions.has(profile) ? usualLanes : lanes)

  const queueOf = ({ profile, kind }: WaitingSend): ProfileQueue => {
    const own = lanesOf(profile)
    const name = `${own[kind]} ${profile}`
    const existing = queues.get(name)
    if (existing !== undefined) return existing
    const queue = { name, profile, sends: [], isBusy: false, head: undefined, lanes: own }
    queues.set(name, queue)
    return queue
  }

  const queuesOf = (profile: string): ProfileQueue[] =>
    laneNames.flatMap((lane) => queues.get(`${lane} ${profile}`) ?? [])

  const insert = (send: WaitingSend, queue: ProfileQueue): void => {
    const place = queue.sends.findLastIndex(({ id }) => id < send.id)
    queue.sends.splice(place + 1, 0, send)
    waiting.set(send.id, { send, queue })
    refresh(queue)
  }

  /** Files a queue under the kind of its first send, and removes it when it is empty. */
  const refresh = (queue: ProfileQueue): void => {
    if (queue.sends.length === 0 && !queue.isBusy) queues.delete(queue.name)
    const kind = headKind(queue)
    if (queue.head === kind) return
    if (queue.head !== undefined) byHead.get(queue.head)?.delete(queue)
    if (kind !== undefined) byHead.get(kind)?.add(queue)
    queue.head = kind
  }

  /** Moves the sends that belong to other lanes by now. */
  const rearrange = (queue: ProfileQueue): void => {
    const own = lanesOf(queue.profile)
    if (queue.isBusy || queue.lanes === own) return
    queue.lanes = own
    for (const send of queue.sends.splice(0)) insert(send, queueOf(send))
    refresh(queue)
  }

  /** A profile has another deletion that waits, or one less. */
  const countDeletion = (profile: string, change: 1 | -1): void => {
    const left = (deletions.get(profile) ?? 0) + change
    if (left === 0) deletions.delete(profile)
    else deletions.set(profile, left)
    for (const queue of queuesOf(profile)) rearrange(queue)
  }

  /** Removes sends that are finished or that are no longer queued. */
  function drop(ids: Iterable<number>): void {
    for (const id of ids) {
      const found = waiting.get(id)
      if (found === undefined) continue
      const { send, queue } = found
      queue.sends.splice(queue.sends.indexOf(send), 1)
      waiting.delete(id)
      counts.set(send.kind, count(send.kind) - 1)
      refresh(queue)
      if (send.kind === 'erase') countDeletion(send.profile, -1)
    }
  }

  /** What an erasure has deleted with the same write: it would hold up the deletion while it cannot go itself. */
  const deletedBefore = ({ id, profile }: WaitingSend): number[] =>
    queuesOf(profile)
      .flatMap(({ sends }) => sends)
      .filter((send) => send.id < id && send.kind !== 'unsubscribe' && send.kind !== 'erase')
      .map((send) => send.id)

  return {
    size: (): number => waiting.size,

    count,

    get: (id: number): WaitingSend | undefined => waiting.get(id)?.send,

    add(send: WaitingSend): void {
      if (waiting.has(send.id)) return
      if (send.kind === 'erase') {
        drop(deletedBefore(send))
        countDeletion(send.profile, 1)
      }
      insert(send, queueOf(send))
      counts.set(send.kind, count(send.kind) + 1)
    },

    /** A queue whose first sends are in a call changes its lanes after the call. */
    setLanes(next: Lanes): void {
      if (areSameLanes(next, lanes)) return
      lanes = next
      for (const queue of [...queues.values()]) rearrange(queue)
    },

    /** The queues whose next call is of that kind. Those that have waited longest come first. */
    front: (kind: SendKind): Iterable<ProfileQueue> => byHead.get(kind) ?? [],

    /** Marks a queue while its first sends are in a call. */
    setBusy(queue: ProfileQueue, isBusy: boolean): void {
      queue.isBusy = isBusy
      rearrange(queue)
      refresh(queue)
    },

    drop,

    /** Makes all waiting sends of these kinds due at once; those that processes died with then, one by one. */
    release(kinds: readonly SendKind[], now: number, suspectsAt: number): void {
      let suspects = 0
      for (const { send } of waiting.values()) {
        if (!kinds.includes(send.kind)) continue
        const at = send.crashes === 0 ? now : suspectsAt + apartMs * suspects++
        send.dueAt = Math.min(send.dueAt, at)
      }
    },
  }
}

export type ProfileQueues = ReturnType<typeof createProfileQueues>

function headKind({ sends, isBusy }: ProfileQueue): SendKind | undefined {
  const [first] = sends
  if (first === undefined || isBusy) return undefined
  return first.kind === 'identify' && leadsToEvent(sends) ? 'event' : first.kind
}

/** Identifies share the call of the event that follows them, unless one of them must be alone. */
function leadsToEvent(sends: readonly WaitingSend[]): boolean {
  const size = sends[0]?.batchSize ?? 1
  if (size === 1) return false
  for (const [place, { kind, batchSize }] of sends.entries()) {
    if (batchSize !== size || place > identifiesOfEvent) return false
    if (kind !== 'identify') return kind === 'event'
  }
  return false
}

/** A bound, so that a look at a queue costs the same however long it is. */
const identifiesOfEvent = 100
