import type { Shop } from '../../core/shop.js'
import type { DeliveryStore } from './delivery-store.js'
import type { ReadFrom } from './waiting-sends.js'
import type { ProfileQueues } from './profile-queues.js'
import { perKind, sendKinds, type SendKind, type WaitingSend } from './send.js'

/** How many sends of a kind are read ahead: enough for two full calls. */
const readAtMost = 10_000

/** The most sends of a kind in one reading: enough for a full call of events. */
const readInTurn = 1_000

/** Sends of blocked profiles in one statement. They come in the order of their ids, so what blocks comes first. */
const blockersAtOnce = 500

/** Other processes store sends too, and SQLite does not notify us. */
export const readEveryMs = 1_000

/** Up to so many sends in memory, reading missed sends costs no more than reading new ones. */
const fewInMemory = 500

/** Beyond that, they are read again after this many milliseconds for each send in memory, and after a second at least. */
const missedWaitMsPerSend = 1

interface ReadAheadSetup {
  store: DeliveryStore
  queues: ProfileQueues
}

export type ReadAhead = ReturnType<typeof createReadAhead>

/** Reads waiting sends into the queues before their calls are made. */
export function createReadAhead({ waits, effects }: Shop, { store, queues }: ReadAheadSetup) {
  const now = () => waits.now().getTime()
  /** The last id that was read of each kind. */
  const readTo = perKind(() => 0)
  /** When missed sends of each kind were last read. */
  const missedReadAt = perKind(() => effects.steadyMs())
  /** Whether something may be stored that is not read yet. */
  let isStale = true
  let readAt = effects.steadyMs()

  async function read(): Promise<void> {
    const isLongAgo = effects.steadyMs() - readAt > readEveryMs
    if (!isStale && !isLongAgo) return
    isStale = false
    readAt = effects.steadyMs()
    const kinds = sendKinds.filter(mayHaveMissed)
    const missed = await readMissed(kinds, readFrom(0))
    for (const send of missed) add(send)
    let isMore = true
    for (let left = readInTurn; isMore && left > 0;) {
      const atOnce = store.rowsAtOnce()
      left -= atOnce
      isMore = await readNext(atOnce)
    }
    if (isMore) isStale = true
  }

  /** Reads the next sends of each kind. Resolves to whether there are more. */
  async function readNext(atOnce: number): Promise<boolean> {
    const from = readFrom(atOnce)
    const found = await store.readWaiting(from)
    // They come in the order of their ids.
    for (const send of found) {
      readTo[send.kind] = send.id
      add(send)
    }
    return sendKinds.some((kind) => {
      const { limit } = from[kind]
      return limit > 0 && found.filter((send) => send.kind === kind).length === limit
    })
  }

  function add(send: WaitingSend): void {
    // The process that stored it may have a clock that is ahead. Nothing waits longer than it should.
    const waitMs = send.dueAt - send.acceptedAt.getTime()
    const dueAt = waitMs < 0 ? send.dueAt : Math.min(send.dueAt, now() + waitMs)
    queues.add({ ...send, dueAt })
  }

  const readFrom = (atOnce: number): ReadFrom =>
    perKind((kind) => ({
      after: readTo[kind],
      limit: Math.max(0, Math.min(atOnce, readAtMost - queues.count(kind))),
    }))

  const mayHaveMissed = (kind: SendKind): boolean => {
    const size = queues.count(kind)
    const waitMs = size <= fewInMemory ? 0 : Math.max(readEveryMs, size * missedWaitMsPerSend)
    return effects.steadyMs() - missedReadAt[kind] >= waitMs
  }

  /** Sends below the last read id that were resent, or whose write committed late. */
  async function readMissed(kinds: readonly SendKind[], from: ReadFrom): Promise<WaitingSend[]> {
    for (const kind of kinds) missedReadAt[kind] = effects.steadyMs()
    const waiting = await store.readWaitingIds(kinds, from)
    const missed = waiting.filter((id) => queues.get(id) === undefined)
    return missed.length === 0 ? [] : store.readByIds(missed)
  }

  return {
    read,

    /** Reads the earlier sends that block these: each kind is read at its own pace, so they are not in memory yet. */
    async readBlockers(refused: readonly number[]): Promise<void> {
      queues.drop(refused)
      const found = await store.readOfProfiles(refused, { limit: blockersAtOnce })
      for (const send of found) add(send)
    },

    isStale: () => isStale,

    /** Makes the next call of `read` look for sends. */
    wake: (): void => {
      isStale = true
    },
  }
}
