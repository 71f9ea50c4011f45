import { sendKinds, type SendKind, type WaitingSend } from './send.js'

/** What waits of one profile, in the order in which it has to be sent. */
export interface ProfileQueue {
  readonly name: string
  readonly sends: WaitingSend[]
  /** Whether its first sends are in a call. */
  isBusy: boolean
  /** How many of its sends are in imports that the platform has not carried out yet. */
  imports: number
  /** Until when the platform is known to have the profile, milliseconds since 1970. */
  knownUntil: number
  /** Whose call its first sends go out by; undefined while they cannot. */
  front: SendKind | undefined
}

/**
 * The queues of all profiles that have something to send. Events of the history are in a queue of their
 * own: they say nothing of a profile that a later send could be overtaken by.
 */
export function createProfileQueues() {
  const queues = new Map<string, ProfileQueue>()
  const waiting = new Map<number, WaitingSend>()
  const imports = new Map<number, { queue: ProfileQueue; until: number }>()
  const counts = new Map<SendKind, number>()
  const fronts = new Map(sendKinds.map((kind) => [kind, new Set<ProfileQueue>()]))

  const count = (kind: SendKind): number => counts.get(kind) ?? 0

  const queueOf = ({ profile, kind }: Pick<WaitingSend, 'profile' | 'kind'>): ProfileQueue => {
    const name = kind === 'past-event' ? `past ${profile}` : profile
    const known = queues.get(name)
    if (known !== undefined) return known
    const queue = { name, sends: [], isBusy: false, imports: 0, knownUntil: 0, front: undefined }
    queues.set(name, queue)
    return queue
  }

  /** Puts a queue where whoever looks for its first send finds it. */
  const refresh = (queue: ProfileQueue): void => {
    if (queue.sends.length === 0 && !queue.isBusy && queue.imports === 0) queues.delete(queue.name)
    const kind = kindInFront(queue)
    if (queue.front === kind) return
    if (queue.front !== undefined) fronts.get(queue.front)?.delete(queue)
    if (kind !== undefined) fronts.get(kind)?.add(queue)
    queue.front = kind
  }

  return {
    /** Sends in imports by id, and until when what is later of their profiles waits for them. */
    imports: imports as ReadonlyMap<number, { until: number }>,

    size: (): number => waiting.size,

    /** How many sends of a kind wait. */
    count,

    get: (id: number): WaitingSend | undefined => waiting.get(id),

    queueOf,

    add(send: WaitingSend): void {
      if (waiting.has(send.id)) return
      const queue = queueOf(send)
      const place = queue.sends.findLastIndex(({ id }) => id < send.id)
      queue.sends.splice(place + 1, 0, send)
      waiting.set(send.id, send)
      counts.set(send.kind, count(send.kind) + 1)
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
    drop(ids: Iterable<number>): void {
      for (const id of ids) {
        const send = waiting.get(id)
        if (send === undefined) continue
        const queue = queueOf(send)
        queue.sends.splice(queue.sends.indexOf(send), 1)
        waiting.delete(id)
        counts.set(send.kind, count(send.kind) - 1)
        refresh(queue)
      }
    },

    /** What is later of its profile waits for an import, until that moment at the latest. */
    hold(send: Pick<WaitingSend, 'profile' | 'kind' | 'id'>, until: number): void {
      const queue = queueOf(send)
      queue.imports += 1
      imports.set(send.id, { queue, until })
      refresh(queue)
    },

    letGo(ids: Iterable<number>): void {
      for (const id of ids) {
        const held = imports.get(id)
        if (held === undefined) continue
        imports.delete(id)
        held.queue.imports -= 1
        refresh(held.queue)
      }
    },

    /** All that wait may be tried at once, but for those that processes were lost with. */
    release(kinds: readonly SendKind[], now: number): void {
      for (const send of waiting.values()) {
        if (kinds.includes(send.kind) && send.crashes === 0) send.dueAt = Math.min(send.dueAt, now)
      }
    },
  }
}

export type ProfileQueues = ReturnType<typeof createProfileQueues>

function kindInFront({ sends, isBusy, imports }: ProfileQueue): SendKind | undefined {
  const [first] = sends
  if (first === undefined || isBusy || imports > 0) return undefined
  return first.kind === 'identify' && leadsToEvent(sends) ? 'event' : first.kind
}

/** Identifies go along with the event behind them; one that has to be alone does not. */
function leadsToEvent(sends: readonly WaitingSend[]): boolean {
  const size = sends[0]?.batchSize ?? 1
  const next = sends.findIndex(({ kind }) => kind !== 'identify')
  if (size === 1 || sends[next]?.kind !== 'event') return false
  return sends.slice(0, next + 1).every(({ batchSize }) => batchSize === size)
}
