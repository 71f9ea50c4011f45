import type { SendKind, WaitingSend } from './send.js'

/** What waits of one profile, in the order in which it has to be sent. */
export interface ProfileQueue {
  readonly name: string
  readonly sends: WaitingSend[]
  /** Whether its first sends are in a call. */
  isBusy: boolean
  /** Ids of sends in imports that the platform has not carried out yet. */
  readonly imports: Set<number>
  /** Until when the platform is known to have the profile, milliseconds since 1970. */
  knownUntil: number
}

/**
 * The queues of all profiles that have something to send. Events of the history are in a queue of their
 * own: they say nothing of a profile that a later send could be overtaken by.
 */
export function createProfileQueues() {
  const queues = new Map<string, ProfileQueue>()
  const ids = new Map<number, SendKind>()
  const counts = new Map<SendKind, number>()
  const fronts = new Map<SendKind, Set<ProfileQueue>>()
  const frontOf = new Map<ProfileQueue, SendKind>()

  const count = (kind: SendKind, by: number) => counts.set(kind, (counts.get(kind) ?? 0) + by)

  const nameOf = ({ profile, kind }: Pick<WaitingSend, 'profile' | 'kind'>) =>
    kind === 'past-event' ? `past ${profile}` : profile

  const queueOf = (send: Pick<WaitingSend, 'profile' | 'kind'>): ProfileQueue => {
    const name = nameOf(send)
    const queue = queues.get(name) ?? {
      name,
      sends: [],
      isBusy: false,
      imports: new Set<number>(),
      knownUntil: 0,
    }
    queues.set(name, queue)
    return queue
  }

  /** Puts a queue where whoever looks for its first send finds it. */
  const refresh = (queue: ProfileQueue): void => {
    const before = frontOf.get(queue)
    const kind = kindInFront(queue)
    if (queue.sends.length === 0 && !queue.isBusy && queue.imports.size === 0) {
      queues.delete(queue.name)
    }
    if (before === kind) return
    if (before !== undefined) fronts.get(before)?.delete(queue)
    frontOf.delete(queue)
    if (kind === undefined) return
    frontOf.set(queue, kind)
    const front = fronts.get(kind) ?? new Set()
    fronts.set(kind, front.add(queue))
  }

  const remove = (queue: ProfileQueue, id: number): void => {
    const place = queue.sends.findIndex((send) => send.id === id)
    const [send] = place === -1 ? [] : queue.sends.splice(place, 1)
    if (send === undefined) return
    ids.delete(id)
    count(send.kind, -1)
  }

  return {
    has: (id: number): boolean => ids.has(id),

    size: (): number => ids.size,

    /** How many sends of a kind wait. */
    count: (kind: SendKind): number => counts.get(kind) ?? 0,

    add(send: WaitingSend): void {
      if (ids.has(send.id)) return
      const queue = queueOf(send)
      const place = queue.sends.findLastIndex(({ id }) => id < send.id)
      queue.sends.splice(place + 1, 0, send)
      ids.set(send.id, send.kind)
      count(send.kind, 1)
      refresh(queue)
    },

    /** The queues whose next call is one for that kind, the ones first that have been so the longest. */
    front: (kind: SendKind): Iterable<ProfileQueue> => fronts.get(kind) ?? [],

    /** For as long as a call is under way. */
    setBusy(queue: ProfileQueue, isBusy: boolean): void {
      queue.isBusy = isBusy
      refresh(queue)
    },

    /** Takes out what is over, or what is somewhere else now. */
    drop(queue: ProfileQueue, dropped: Iterable<number>): void {
      for (const id of dropped) remove(queue, id)
      refresh(queue)
    },

    /** What is later of its profile waits for an import. */
    hold(send: Pick<WaitingSend, 'profile' | 'kind' | 'id'>): void {
      const queue = queueOf(send)
      queue.imports.add(send.id)
      refresh(queue)
    },

    letGo(profile: string, id: number): void {
      const queue = queues.get(profile)
      if (queue === undefined) return
      queue.imports.delete(id)
      refresh(queue)
    },

    /** All that wait may be tried at once. */
    release(kinds: readonly SendKind[], now: number): void {
      for (const { sends } of queues.values()) {
        for (const send of sends) {
          if (kinds.includes(send.kind)) send.dueAt = Math.min(send.dueAt, now)
        }
      }
    },
  }
}

export type ProfileQueues = ReturnType<typeof createProfileQueues>

/** Whose call the first sends of a queue go out by; undefined while they cannot. */
function kindInFront({ sends, isBusy, imports }: ProfileQueue): SendKind | undefined {
  const [first] = sends
  if (first === undefined || isBusy || imports.size > 0) return undefined
  return first.kind === 'identify' && leadsToEvent(sends) ? 'event' : first.kind
}

/** Identifies go along with the event behind them; one that has to be alone does not. */
function leadsToEvent(sends: readonly WaitingSend[]): boolean {
  const size = sends[0]?.batchSize ?? 1
  const next = sends.find(({ kind }) => kind !== 'identify')
  if (size === 1 || next?.kind !== 'event') return false
  return sends.slice(0, sends.indexOf(next) + 1).every(({ batchSize }) => batchSize === size)
}
