import type { BasePayload } from 'payload'
import * as z from 'zod/mini'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Shop } from '../../core/shop.js'
import type { Step } from '../../core/workers/worker.js'
import type { NewSend } from '../delivery/send.js'
import { storedMoment, readStored } from '../../core/database/stored-value.js'
import { sql, type Column, type SQL } from 'drizzle-orm'
import { column, type Database, type PayloadTable } from '../../core/database/database.js'
import { noteInDocument } from '../../core/database/document-tables.js'

export interface Source {
  /** Names the stored cursor, so it must never change. */
  name: string
  quietMs: number
  firstBackMs: number
  /** Leaves out what changed after `until` and up to `now`. What is later has the time of another clock. */
  changedAfter(from: Position, range: { until: Date; now: Date; limit: number }): Promise<Changed[]>
  report(ids: readonly DocumentId[], range: Range): Promise<Report>
}

export interface Range {
  since: Date
  /** Whether a document is still as it was when it was found. If not, it is found again. */
  isUnchanged: (id: DocumentId, changedAt: Date) => boolean
}

export interface Report {
  /** The same facts always give sends with the same keys. */
  sends: NewSend[]
  /** Called after the sends are stored: after a crash in between, the same keys are only stored again. */
  note?: () => Promise<void>
  /** Whether the store's own code failed for a document. The feed tries again for a day. */
  hasFailed?: boolean
}

type Cursor = ReturnType<typeof createCursor>

export type Feed = ReturnType<typeof createFeed>

const minute = 60_000
export const dayMs = 24 * 60 * minute

const pageSize = 250
const pollEveryMs = 1_000

/** The shortest time between two polls, however often the feed is woken. */
const leastPauseMs = 100

/** A hook runs before its change is committed, so the feed polls a second time after this. */
const commitsWithinMs = 50

/** How far back each poll reads again: clocks differ by seconds, and most transactions end sooner. */
const recentMs = 30_000

/** How far back each full walk begins, to find changes that were committed up to ten minutes late. */
const overlapMs = 10 * minute
const readAgainEveryMs = 5 * minute

const hourMs = 60 * minute

/** How far back a full walk goes at most, when no process has run for a long time. */
const furthestBackMs = 7 * dayMs

/** A pause after a page that failed, since the database may be overloaded. */
const retryAfterMs = 5_000

interface Walk extends Pick<Range, 'since'> {
  /** A full walk reports documents again that this process has reported already. */
  isFull: boolean
  from: Position
  until: Date
}

export function createFeed(
  { effects, waits }: Pick<Shop, 'effects' | 'waits'>,
  source: Source,
  { cursor, store }: { cursor: Cursor; store: (sends: NewSend[]) => Promise<void> },
) {
  /** The change times of the documents that were reported since the last full walk began. */
  const reported = new Map<DocumentId, number>()
  let walk: Walk | undefined
  let lastEnd = 0
  let last: Promise<void> | undefined
  let isPolling = false
  let fullAt = 0
  let pollAt = 0
  let againAt = 0
  let restUntil = 0
  let failedAt = Infinity
  /** The documents whose change time is still to come, and when this process found them. */
  const early = new Map<DocumentId, { at: number; foundAt: number }>()
  const waitsNow = () => waits.now().getTime()

  async function begin(now: number): Promise<Walk> {
    const until = now - source.quietMs
    const isFull = waitsNow() >= fullAt
    if (isFull) {
      reported.clear()
      failedAt = Infinity
      for (const [id, { at }] of early) if (at <= until) early.delete(id)
    }
    // A clock that was set back writes change times from before the last poll.
    const at = isFull
      ? startOfFullWalk(await cursor.read(), { until, firstBackMs: source.firstBackMs })
      : Math.min(lastEnd, until) - recentMs
    return {
      isFull,
      from: { at: new Date(at), id: undefined },
      since: new Date(Math.min(at, now - dayMs)),
      until: new Date(until),
    }
  }

  /** @param acceptedAt When the page was read. What is stored with it goes when somebody is erased meanwhile. */
  async function reportPage(page: readonly Changed[], { since, until }: Walk, acceptedAt: Date) {
    const fresh = page.filter(
      (each) => reported.get(each.id) !== each.at.getTime() && isQuiet(each, until),
    )
    if (fresh.length === 0) return
    const changedAt = new Map(fresh.map(({ id, at }) => [id, at.getTime()]))
    const {
      sends,
      note,
      hasFailed = false,
    } = await source.report([...changedAt.keys()], {
      since,
      isUnchanged: (id, at) => changedAt.get(id) === at.getTime(),
    })
    if (sends.length > 0) await store(sends.map((send) => ({ ...send, acceptedAt })))
    await note?.()
    if (hasFailed) failedAt = Math.min(failedAt, ...fresh.map(({ at }) => at.getTime()))
    for (const { id, at } of fresh) reported.set(id, at.getTime())
  }

  /** A change time that is still to come says nothing: then it counts how long ago it was found. */
  function isQuiet({ id, at }: Changed, until: Date): boolean {
    if (source.quietMs === 0 || at <= until) return true
    const earlier = early.get(id)
    if (earlier?.at === at.getTime()) return waitsNow() - earlier.foundAt >= source.quietMs
    early.set(id, { at: at.getTime(), foundAt: waitsNow() })
    return false
  }

  async function poll(): Promise<void> {
    const begunAt = waitsNow()
    restUntil = begunAt + retryAfterMs
    const now = effects.now().getTime()
    const current = (walk ??= await begin(now))
    const { isFull, from, until } = current
    const range = { until, now: new Date(until.getTime() + source.quietMs), limit: pageSize }
    const page = await source.changedAfter(from, range)
    await reportPage(page, current, new Date(now))
    const end = page.at(-1)
    if (end !== undefined && page.length === pageSize) {
      current.from = end
      restUntil = 0
      return
    }
    if (isFull) {
      const furthest = Math.max(failedAt, until.getTime() - dayMs)
      await cursor.keep(new Date(Math.min(until.getTime(), furthest)))
      fullAt = begunAt + readAgainEveryMs
    }
    lastEnd = until.getTime()
    walk = undefined
    restUntil = begunAt + leastPauseMs
    pollAt = againAt > begunAt ? againAt : begunAt + pollEveryMs
  }

  const pollInTurn = (): Promise<void> => {
    const own = Promise.allSettled([last]).then(poll)
    last = own
    return own
  }

  return {
    name: `feed of ${source.name}`,
    /** The feed polls at once, and again when the transaction may be committed. */
    wake(): void {
      const now = waitsNow()
      pollAt = Math.min(pollAt, now)
      againAt = now + commitsWithinMs
    },
    next(): Promise<Step> {
      const now = waitsNow()
      const nextAt = Math.max(pollAt, restUntil)
      if (isPolling || now < nextAt) return Promise.resolve({ nextAt: new Date(nextAt) })
      isPolling = true
      return Promise.resolve({ run: () => pollInTurn().finally(() => (isPolling = false)) })
    },
    /** For a process that does not keep running. */
    async catchUp(deadline?: Date): Promise<void> {
      const hasTime = () => deadline === undefined || effects.now() < deadline
      // A walk that is under way may have begun before the last change, so a new one follows it.
      while (walk !== undefined && hasTime()) await pollInTurn()
      do await pollInTurn()
      while (walk !== undefined && hasTime())
    },
  }
}

function startOfFullWalk(
  kept: Date | undefined,
  { until, firstBackMs }: { until: number; firstBackMs: number },
): number {
  if (kept === undefined) return until - firstBackMs
  const begin = Math.min(kept.getTime(), until) - overlapMs
  const lastHour = startOfHour(kept.getTime())
  // The clock of a machine may be an hour behind. What it saved before the hour of the last walk is read already.
  const isFirstOfHour = lastHour !== startOfHour(until)
  const from = isFirstOfHour
    ? Math.min(begin, until - 2 * hourMs, lastHour - hourMs - overlapMs)
    : begin
  return Math.max(from, until - furthestBackMs)
}

const startOfHour = (at: number): number => at - (at % hourMs)

const storedSchema = z.object({ end: storedMoment })

/** Stored, so that any process can go on from it. */
export function createCursor(payload: Pick<BasePayload, 'kv'>, name: Source['name']) {
  const place = `storeconnect:feed-${name}`
  return {
    read: async (): Promise<Date | undefined> =>
      (await readStored(payload, place, storedSchema))?.end,
    keep: (end: Date): Promise<void> => payload.kv.set(place, { end: end.toISOString() }),
  }
}

/** Where a page begins. Documents are ordered by moment, then by id. */
export interface Position {
  at: Date
  /** Undefined: the page begins after all documents of that moment. */
  id: DocumentId | undefined
}

export interface Changed extends Position {
  id: DocumentId
}

/** Reads the rows after a position, the oldest first: those up to `until`, and those later than `now`. */
export async function changedRows(
  database: Database,
  { table, at, condition = sql`true` }: { table: PayloadTable; at: Column; condition?: SQL },
  { from, until, now, limit }: { from: Position; until: Date; now?: Date; limit: number },
): Promise<Changed[]> {
  const id = column(table, 'id')
  const moment = from.at.toISOString()
  const isAfter =
    from.id === undefined
      ? sql`${at} > ${moment}`
      : sql`${at} >= ${moment} and (${at} > ${moment} or ${id} > ${from.id})`
  const isLater = now ? sql`or ${at} > ${now.toISOString()}` : sql``
  const rows = await database.rows(sql`select ${id} as "id", ${at} as "at" from ${table}
    where ${isAfter} and (${at} <= ${until.toISOString()} ${isLater}) and ${condition}
    order by ${at}, ${id} limit ${limit}`)
  return rows.map((row) => ({ at: new Date(String(row.at)), id: row.id as DocumentId }))
}

/** Writes a state to each of these documents. `updatedAt` stays, so that no feed takes it for a change. */
export async function noteStates(
  database: Database,
  { slug, field }: { slug: string; field: string },
  states: ReadonlyMap<DocumentId, string>,
): Promise<void> {
  for (const [id, state] of states) {
    await noteInDocument(database, { slug, id, values: { [field]: state } })
  }
}
