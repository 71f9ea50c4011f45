import type { BasePayload } from 'payload'
import { z } from 'zod'
import type { DocumentId } from '../commerce/order.js'
import type { Clock } from '../delivery/clock.js'
import type { NewSend } from '../delivery/send.js'
import type { Step, Worker } from '../delivery/worker.js'
import { keptMoment, readKept } from '../store/payload/kept-value.js'
import type { Changed, Position } from './changed-rows.js'

/** Documents of one kind, and what there is to send of them. */
export interface Source {
  name: 'orders' | 'checkouts' | 'carts' | 'accounts'
  /** How long a document has to be left alone before it is looked at. */
  quietMs: number
  /** How far back the very first walk of an installation goes. */
  firstBackMs: number
  changedBehind(from: Position, range: { until: Date; limit: number }): Promise<Changed[]>
  report(ids: readonly DocumentId[], range: Range): Promise<Report>
}

export interface Range {
  /** What happened before is not sent. */
  since: Date
  /** The moment that the walk goes up to. */
  until: Date
}

export interface Report {
  /** The same facts always give sends of the same keys. */
  sends: NewSend[]
  /** Notes what was sent, once it is stored: a kill in between only repeats the same keys. */
  note?: () => Promise<void>
  /** Whether the store's own code failed at one of the documents: it is reported again for a day. */
  hasFailed?: boolean
}

export interface Feed extends Worker {
  /** A document was saved: look at once, and again when its transaction may be committed. */
  wake(): void
  /** Looks at all that was saved so far, for a process that does not keep running. */
  catchUp(deadline?: Date): Promise<void>
}

interface FeedParts {
  source: Source
  store: (sends: NewSend[]) => Promise<void>
  cursor: ReturnType<typeof createCursor>
  clock: Clock
}

const minute = 60_000
export const dayMs = 24 * 60 * minute

const pageSize = 250
const lookEveryMs = 1_000

/** Between two looks, however often it is woken. */
const leastPauseMs = 100

/** A hook runs before its change is committed. */
const commitsWithinMs = 50

/** How far each look goes back: clocks differ by seconds, and most transactions are shorter. */
const recentMs = 30_000

/**
 * How far all is read again every few minutes: a change is found that was committed ten minutes after
 * the moment it bears.
 */
const overlapMs = 10 * minute
const readAgainEveryMs = 5 * minute

/** How far back it begins after a long time without a process. */
const furthestBackMs = 7 * dayMs

/** After a page that failed, the database may need a rest. */
const retryAfterMs = 5_000

interface Walk extends Range {
  /** Reports all again, whether or not this process has. */
  isFull: boolean
  from: Position
}

/** Walks the documents of a source that changed since the cursor, and stores what there is to send. */
export function createFeed({ source, store, cursor, clock }: FeedParts): Feed {
  /** When the documents that were reported since the last full walk began had changed. */
  const seen = new Map<DocumentId, number>()
  let walk: Walk | undefined
  let lastEnd = 0
  let last: Promise<void> | undefined
  let isLooking = false
  let fullAt = 0
  let lookAt = 0
  let againAt = 0
  let restUntil = 0
  /** The moment of the first document of this full walk that failed. */
  let failedAt = Infinity

  async function begin(now: number): Promise<Walk> {
    const until = now - source.quietMs
    const isFull = now >= fullAt
    if (isFull) {
      seen.clear()
      failedAt = Infinity
    }
    const at = isFull
      ? startOfFullWalk(await cursor.read(), { until, firstBackMs: source.firstBackMs })
      : lastEnd - recentMs
    return {
      isFull,
      from: { at: new Date(at), id: undefined },
      since: new Date(Math.min(at, now - dayMs)),
      until: new Date(until),
    }
  }

  async function reportPage(page: readonly Changed[], { since, until }: Walk) {
    const fresh = page.filter(({ id, at }) => seen.get(id) !== at.getTime())
    if (fresh.length === 0) return
    const ids = fresh.map(({ id }) => id)
    const { sends, note, hasFailed = false } = await source.report(ids, { since, until })
    if (sends.length > 0) await store(sends)
    await note?.()
    if (hasFailed) failedAt = Math.min(failedAt, ...fresh.map(({ at }) => at.getTime()))
    for (const { id, at } of fresh) seen.set(id, at.getTime())
  }

  /** One page of the walk. */
  async function look(now: number): Promise<void> {
    restUntil = now + retryAfterMs
    const current = (walk ??= await begin(now))
    const { isFull, from, until } = current
    const page = await source.changedBehind(from, { until, limit: pageSize })
    await reportPage(page, current)
    const end = page.at(-1)
    if (end !== undefined && page.length === pageSize) {
      current.from = end
      restUntil = now
      return
    }
    if (isFull) {
      const furthest = Math.max(failedAt, until.getTime() - dayMs)
      await cursor.keep(new Date(Math.min(until.getTime(), furthest)))
      fullAt = now + readAgainEveryMs
    }
    lastEnd = until.getTime()
    walk = undefined
    restUntil = now + leastPauseMs
    lookAt = againAt > now ? againAt : now + lookEveryMs
  }

  /** One look at a time. */
  const lookInTurn = (): Promise<void> => {
    const own = Promise.allSettled([last]).then(() => look(clock.now().getTime()))
    last = own
    return own
  }

  return {
    name: `feed of ${source.name}`,
    wake() {
      const now = clock.now().getTime()
      lookAt = Math.min(lookAt, now)
      againAt = now + commitsWithinMs
    },
    next(): Promise<Step> {
      const now = clock.now().getTime()
      const nextAt = Math.max(lookAt, restUntil)
      if (isLooking || now < nextAt) return Promise.resolve({ nextAt: new Date(nextAt) })
      isLooking = true
      return Promise.resolve({ run: () => lookInTurn().finally(() => (isLooking = false)) })
    },
    async catchUp(deadline) {
      const hasTime = () => deadline === undefined || clock.now() < deadline
      // A walk that is under way may have begun before the last change.
      while (walk !== undefined && hasTime()) await lookInTurn()
      do await lookInTurn()
      while (walk !== undefined && hasTime())
    },
  }
}

function startOfFullWalk(
  kept: Date | undefined,
  { until, firstBackMs }: { until: number; firstBackMs: number },
): number {
  if (kept === undefined) return until - firstBackMs
  return Math.max(kept.getTime() - overlapMs, until - furthestBackMs)
}

const keptSchema = z.object({ end: keptMoment })

/** How far all documents were looked at, kept for whichever process goes on. */
export function createCursor(payload: Pick<BasePayload, 'kv'>, name: Source['name']) {
  const place = `storeconnect:feed-${name}`
  return {
    read: async (): Promise<Date | undefined> => (await readKept(payload, place, keptSchema))?.end,
    keep: (end: Date): Promise<void> => payload.kv.set(place, { end: end.toISOString() }),
  }
}
