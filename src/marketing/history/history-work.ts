import { sql } from 'drizzle-orm'
import type { DeliveryParts } from '../delivery/parts.js'
import type { NewSend } from '../delivery/send.js'
import { sendTable } from '../delivery/send-table.js'
import type { Changed } from '../feeds/feed.js'
import type { FeedsParts } from '../feeds/parts.js'
import type { Shop } from '../../core/shop.js'
import { historyTable, type Cursor, type HistoryValues, type StoredRun } from './history-table.js'
import { asHistory, createPastOrders, pastRows, pastSends, type PastSends } from './past-orders.js'
import type { ReviewsParts } from '../reviews/parts.js'
import { addReasons } from './run-progress.js'
import { createRest, type Worker } from '../../core/workers/worker.js'

/** The few hundred events of a page make a statement of a good length. */
const documentsAtOnce = 100

/**
 * The sends of a page are stored first, and then how far the run has come. After a crash in between the page is read
 * again, and the keys of its sends leave out what is stored.
 *
 * @throws {TypeError} when the database lacks the collections.
 */
export function createHistoryWork(shop: Shop, parts: FeedsParts & DeliveryParts & ReviewsParts) {
  const { database, effects } = shop
  const { outbox, pastReviews } = parts
  const pastOrders = createPastOrders(shop)
  const reviewRows = pastReviews && pastRows(shop, pastReviews.rows)
  const runs = historyTable(database, effects.now)
  const { at } = runs
  const { bare, table: sends } = sendTable(database)
  const isAtWork = sql`${at('state')} in ('counting', 'running')`
  const isStillAtWork = ({ run }: StoredRun) => sql`${at('id')} = ${run.id} and ${isAtWork}`

  /** False when the run was stopped, or moved on by another process, since it was read. */
  const moveOn = (stored: StoredRun, values: HistoryValues): Promise<boolean> =>
    runs.change(
      values,
      sql`${isStillAtWork(stored)} and coalesce(${at('cursor')}, '') = ${stored.cursorText}`,
    )

  async function countOrders(stored: StoredRun): Promise<void> {
    const total = await pastOrders.count(stored.run)
    await moveOn(stored, { total, state: 'running', cursor: null })
  }

  async function finish(stored: StoredRun): Promise<void> {
    await moveOn(stored, { state: 'done', underWay: null, endedAt: effects.now().toISOString() })
  }

  async function storeNextPage(stored: StoredRun): Promise<void> {
    // When the orders were read. What is stored with this moment goes when somebody is erased meanwhile.
    const acceptedAt = effects.now()
    const isOfReviews = stored.cursor.of === 'reviews'
    const rows = isOfReviews ? reviewRows : pastOrders
    const page = (await rows?.page(stored.run, stored.cursor, documentsAtOnce)) ?? []
    const last = page.at(-1)
    if (last === undefined) {
      if (isOfReviews || reviewRows === undefined) return finish(stored)
      await moveOn(stored, { cursor: JSON.stringify({ of: 'reviews' }) })
      return
    }
    const ids = page.map(({ id }) => id)
    const made = isOfReviews
      ? { sends: (await pastReviews?.sends(ids, asHistory)) ?? [], passedOver: [] }
      : await pastSends(ids, shop, parts)
    const begun = await notePageBegun(stored, made.sends)
    if (begun === undefined) return
    if (made.sends.length > 0) {
      await outbox.store(made.sends.map((send) => ({ ...send, acceptedAt })))
    }
    const orders = isOfReviews ? 0 : page.length
    await moveOn(begun, valuesAfterPage(begun, { last, orders }, made))
  }

  /**
   * Notes how many of the page's events are stored already, so that each event is counted once, also when
   * the page is read again after a crash. Undefined when the run is no longer as it was read.
   */
  async function notePageBegun(
    stored: StoredRun,
    pageSends: readonly NewSend[],
  ): Promise<StoredRun | undefined> {
    if (stored.cursor.known !== undefined) return stored
    const keys = pageSends.map(({ key }) => key)
    const isOfPage = database.isOneOf(bare.key, keys)
    const known = await database.count(sql`${sends} where ${isOfPage}`)
    const cursor = { ...stored.cursor, known }
    const cursorText = JSON.stringify(cursor)
    const isNoted = await moveOn(stored, { cursor: cursorText })
    return isNoted ? { ...stored, cursor, cursorText } : undefined
  }

  return {
    current: () => runs.read(isAtWork),

    step: (stored: StoredRun): Promise<void> =>
      stored.run.state === 'counting' ? countOrders(stored) : storeNextPage(stored),

    async putOff(stored: StoredRun, next: Required<Pick<Cursor, 'failures' | 'retryAt'>>) {
      const { cursor } = (await runs.read(isStillAtWork(stored))) ?? stored
      await runs.change({ cursor: JSON.stringify({ ...cursor, ...next }) }, isStillAtWork(stored))
    },

    /** The merchant sees that, and can resume the run. */
    async giveUp(stored: StoredRun): Promise<void> {
      const values = { state: 'failed', underWay: null, lastError: 'historyGivenUp' }
      await runs.change(values, isStillAtWork(stored))
    },

    /** How many events of past orders wait in the queue; never more than `countUpTo`. */
    waitingEvents: (countUpTo: number): Promise<number> =>
      database.count(
        sql`${sends} where ${bare.kind} = 'past-event' and ${bare.state} = 'queued'`,
        countUpTo,
      ),
  }
}

type HistoryWork = ReturnType<typeof createHistoryWork>

function valuesAfterPage(
  { run, cursor }: StoredRun,
  { last, orders }: { last: Changed; orders: number },
  { sends, passedOver }: PastSends,
): HistoryValues {
  const next: Cursor = { of: cursor.of, at: last.at.toISOString(), id: last.id }
  return {
    cursor: JSON.stringify(next),
    done: run.done + orders,
    events: run.events + sends.length - (cursor.known ?? 0),
    passedOver: run.passedOver + passedOver.length,
    passedOverFor: JSON.stringify(addReasons(run.passedOverFor, passedOver)),
  }
}

/**
 * The worker stores no more events while this many wait. They fill four calls, which take 1.6 seconds at
 * Klaviyo's limit of 150 calls a minute, so the next call is always full.
 */
export const mostWaitingEvents = 4_000

/** How often the worker polls for a new run. */
const pollEveryMs = 2_000

/** How often the worker polls while too many events wait. */
const fullQueuePollEveryMs = 250

/** The pause after a step that failed, in case the database is overloaded. It doubles each time. */
const firstRetryMs = 1_000

/** The most tries of one step, in all processes together. */
const triesAtMost = 6
const longestRetryMs = firstRetryMs * 2 ** (triesAtMost - 2)

export function createHistoryWorker(shop: Shop, work: HistoryWork): Worker {
  const rest = createRest(shop)
  /** The retry moment, set by another process, for which this one has waited by its own clock. */
  let waitedFor = 0

  async function goOn(): Promise<void> {
    const stored = await work.current()
    const retryAt = stored?.cursor.retryAt ?? 0
    if (stored === undefined) rest.for(pollEveryMs)
    else if (retryAt > rest.now() && retryAt !== waitedFor) {
      waitedFor = retryAt
      rest.until(Math.min(retryAt, rest.now() + longestRetryMs))
    } else if ((await work.waitingEvents(mostWaitingEvents)) >= mostWaitingEvents) {
      rest.for(fullQueuePollEveryMs)
    } else await work.step(stored).catch((error: unknown) => note(error, stored))
  }

  /** Stores the failure with the run, since another process may make the next try. */
  async function note(error: unknown, stored: StoredRun): Promise<never> {
    const failures = (stored.cursor.failures ?? 0) + 1
    const retryAt = rest.now() + firstRetryMs * 2 ** (failures - 1)
    rest.until(retryAt)
    const noting =
      failures < triesAtMost ? work.putOff(stored, { failures, retryAt }) : work.giveUp(stored)
    await noting.catch((another: unknown) => {
      throw new AggregateError([error, another], 'A step failed, and that could not be noted.')
    })
    throw error
  }

  return {
    name: 'history',
    isLong: true,
    next: () => rest.next(goOn),
  }
}
