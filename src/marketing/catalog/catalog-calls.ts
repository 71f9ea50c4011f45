import type { SQL } from 'drizzle-orm'
import type { Shop } from '../../core/shop.js'
import type { KlaviyoSessions } from '../delivery/klaviyo-sessions.js'
import type { CatalogTask } from '../klaviyo/catalog.js'
import type { Klaviyo } from '../klaviyo/klaviyo.js'
import { digestOfFound } from './catalog-entries.js'
import type { CatalogTable, StoredEntry } from './catalog-table.js'
import { jobOutcomes } from './job-outcomes.js'

/** What a step did: something, nothing, or nothing before a moment (in milliseconds since 1970). */
export type Did = 'something' | 'nothing' | number

/** In this order an item comes after its categories and before its variants, and goes after them. */
const tasks: readonly CatalogTask[] = [
  { kind: 'category', verb: 'create' },
  { kind: 'item', verb: 'create' },
  { kind: 'variant', verb: 'create' },
  { kind: 'item', verb: 'update' },
  { kind: 'variant', verb: 'update' },
  { kind: 'variant', verb: 'delete' },
  { kind: 'item', verb: 'delete' },
]

/** As many as a page has, and a job takes. */
const askedAtOnce = 100

/** Klaviyo takes 500 at one time, and others may use the same account. */
const jobsAtMost = 200

/** A job takes seconds or minutes: it is looked at soon, and then less and less often. */
const firstLookMs = 1_000
const longestLookMs = 15_000

/** A job that Klaviyo has not done by then is taken for lost. */
const longestJobMs = 6 * 60 * 60_000

/** What a call that failed waits for, when nobody says how long. */
const pauseMs = 5_000

interface OpenJob extends CatalogTask {
  job: string
  begunAt: number
  lookAt: number
}

/** The calls that bring Klaviyo's catalog to what the table wants, for one session of the delivery. */
export function createCatalogCalls(
  { effects, waits, log }: Shop,
  {
    table,
    klaviyo,
    klaviyoSessions,
    isLeaseHeld,
  }: {
    table: CatalogTable
    klaviyo: Klaviyo
    klaviyoSessions: KlaviyoSessions
    isLeaseHeld: SQL
  },
) {
  const now = () => waits.now().getTime()
  let open: OpenJob[] | undefined

  const follow = (task: CatalogTask & { job: string }): OpenJob => ({
    ...task,
    begunAt: now(),
    lookAt: now() + firstLookMs,
  })

  /** The jobs of the process before are looked at once more; of what it may not have posted, nobody knows. */
  async function jobs(): Promise<OpenJob[]> {
    if (open !== undefined) return open
    await table.doubtLost(isLeaseHeld)
    return (open = (await table.openJobs()).map(follow))
  }

  const putOff = (answer?: { putOffUntil?: number }): number =>
    Math.max(answer?.putOffUntil ?? now() + pauseMs, now() + 1)

  async function finish(done: OpenJob): Promise<void> {
    open = (await jobs()).filter(({ job }) => job !== done.job)
  }

  /** Looks at the job that has waited longest for it. */
  async function look(): Promise<Did> {
    const [first] = [...(await jobs())].sort((one, other) => one.lookAt - other.lookAt)
    if (first === undefined) return 'nothing'
    if (first.lookAt > now()) return first.lookAt
    const { job, begunAt, kind, verb } = first
    const task = { kind, verb }
    const answer = await klaviyoSessions.ask({
      name: 'catalog-state',
      items: 1,
      make: (options) => klaviyo.readCatalogJob({ ...task, job }, options),
    })
    const age = now() - begunAt
    if (answer === undefined || !('state' in answer)) return (first.lookAt = putOff(answer))
    first.lookAt = now() + Math.min(longestLookMs, Math.max(firstLookMs, age / 2))
    const { state } = answer
    if (state.is === 'lost' || (state.is === 'open' && age > longestJobMs)) {
      log.warn({ job, ...task }, 'A job of the catalog was lost, and Klaviyo is asked what it has')
      await table.noteLost(job, isLeaseHeld)
      await finish(first)
    } else if (state.is === 'done') {
      const entries = await table.ofJob(job)
      const outcomes = jobOutcomes(entries, state)
      log.info({ job, ...task, entries: entries.length, failed: state.failed }, 'Catalog changed')
      await table.settle(job, { entries, outcomes }, isLeaseHeld)
      await finish(first)
    }
    return 'something'
  }

  /** Asks Klaviyo what it has of entries of which nobody knows. */
  async function find(): Promise<Did> {
    for (const kind of ['item', 'variant'] as const) {
      const entries = await table.toAsk(kind, askedAtOnce)
      if (entries.length === 0) continue
      const ids = entries.map(({ entryId }) => entryId)
      const answer = await klaviyoSessions.ask({
        name: 'catalog-list',
        items: ids.length,
        make: (options) => klaviyo.findCatalogEntries({ kind, ids }, options),
      })
      if (answer === undefined || !('found' in answer)) return putOff(answer)
      const known = entries.map(({ id, entryId, wished }) => {
        const found = answer.found.get(entryId)
        return { id, known: found === undefined ? null : digestOfFound(kind, found, wished) }
      })
      await table.noteKnown(known, isLeaseHeld)
      return 'something'
    }
    return 'nothing'
  }

  /** Posts the next job. */
  async function send(): Promise<Did> {
    const running = await jobs()
    if (running.length >= jobsAtMost) return 'nothing'
    for (const task of tasks) {
      const own = effects.uuid()
      const entries = await table.take(task, own, isLeaseHeld)
      if (entries.length > 0) return post(task, own, entries)
    }
    return 'nothing'
  }

  async function post(
    task: CatalogTask,
    own: string,
    entries: readonly StoredEntry[],
  ): Promise<Did> {
    const wanted = entries.flatMap(({ wish }) => wish?.categories ?? [])
    const there = await table.categoriesThere([...new Set(wanted)])
    const body = entries.map(({ entryId, wish }) => ({
      id: entryId,
      ...(wish ?? { attributes: {} }),
      // A category that Klaviyo refuses is left out.
      ...(wish?.categories && { categories: wish.categories.filter((each) => there.has(each)) }),
    }))
    const answer = await klaviyoSessions.ask({
      name: 'catalog-job',
      items: entries.length,
      make: (options) => klaviyo.startCatalogJob({ ...task, entries: body }, options),
    })
    if (answer !== undefined && 'job' in answer) {
      await table.noteJob(own, answer.job, isLeaseHeld)
      open?.push(follow({ ...task, job: answer.job }))
      return 'something'
    }
    if (answer !== undefined && 'errors' in answer) {
      const { errors } = answer
      const outcomes = jobOutcomes(entries, { failed: entries.length, errors, isWhole: true })
      await table.settle(own, { entries, outcomes }, isLeaseHeld)
      return 'something'
    }
    const isUnsent = answer === undefined || 'putOffUntil' in answer
    await (isUnsent ? table.noteUnsent : table.noteLost)(own, isLeaseHeld)
    return putOff(answer)
  }

  return { look, find, send }
}

export type CatalogCalls = ReturnType<typeof createCatalogCalls>
