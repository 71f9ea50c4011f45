import type { Shop } from '../../core/shop.js'
import type { KlaviyoSessions } from '../delivery/klaviyo-sessions.js'
import { putOff, type Did } from '../delivery/did.js'
import type { CatalogTask } from '../klaviyo/catalog.js'
import type { Klaviyo } from '../klaviyo/klaviyo.js'
import { digestOfFound } from './catalog-entries.js'
import type { StoredEntry } from './catalog-rows.js'
import type { CatalogWork } from './catalog-work.js'
import { jobOutcomes } from './job-outcomes.js'

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

/** Klaviyo takes 500 at one time, and others may use the same account. */
const jobsAtMost = 200

/** A job takes seconds or minutes: it is looked at soon, and then less and less often. */
const firstLookMs = 1_000
const longestLookMs = 15_000

interface OpenJob extends CatalogTask {
  job: string
  begunAt: number
  lookAt: number
}

/** The calls that bring Klaviyo's catalog to what the table wants, for one session of the delivery. */
export function createCatalogCalls(
  shop: Shop,
  {
    work,
    klaviyo,
    klaviyoSessions,
  }: { work: CatalogWork; klaviyo: Klaviyo; klaviyoSessions: KlaviyoSessions },
) {
  const { effects, waits, log } = shop
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
    await work.doubtLost()
    return (open = (await work.openJobs()).map(follow))
  }

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
    if (answer === undefined || !('state' in answer)) return (first.lookAt = putOff(shop, answer))
    first.lookAt = now() + Math.min(longestLookMs, Math.max(firstLookMs, age / 2))
    const { state } = answer
    if (state.is === 'lost') {
      log.warn({ job, ...task }, 'A job of the catalog was lost, and Klaviyo is asked what it has')
      await work.noteLost(job)
      await finish(first)
    } else if (state.is === 'done') {
      const entries = await work.ofJob(job)
      log.info({ job, ...task, entries: entries.length, failed: state.failed }, 'Catalog changed')
      await work.settle(jobOutcomes(entries, { ...state, job }))
      await finish(first)
    }
    return 'something'
  }

  /** Asks Klaviyo what it has of entries of which nobody knows. */
  async function find(): Promise<Did> {
    for (const kind of ['item', 'variant'] as const) {
      const entries = await work.toAsk(kind)
      if (entries.length === 0) continue
      const ids = entries.map(({ entryId }) => entryId)
      const answer = await klaviyoSessions.ask({
        name: 'catalog-list',
        items: ids.length,
        make: (options) => klaviyo.findCatalogEntries({ kind, ids }, options),
      })
      if (answer !== undefined && 'failed' in answer && answer.failed.is === 'refused') {
        const errors = [{ place: undefined, error: answer.failed.error }]
        await work.settle(jobOutcomes(entries, { job: null, failed: entries.length, errors }))
        return 'something'
      }
      if (answer === undefined || !('found' in answer)) return putOff(shop, answer)
      const known = entries.map(({ id, entryId, wished }) => {
        const found = answer.found.get(entryId)
        return { id, known: found === undefined ? null : digestOfFound(kind, found, wished) }
      })
      await work.noteKnown(known)
      return 'something'
    }
    return 'nothing'
  }

  /** Posts the next job. */
  async function send({ mayDelete }: { mayDelete: boolean }): Promise<Did> {
    const running = await jobs()
    if (running.length >= jobsAtMost) return 'nothing'
    for (const task of tasks) {
      if (task.verb === 'delete' && !mayDelete) continue
      const own = effects.uuid()
      const entries = await work.take(task, own)
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
    const there = await work.categoriesThere([...new Set(wanted)])
    const body = entries.map(({ entryId, wish, tries }) => {
      const { categories, ...rest } = wish ?? { attributes: {} }
      // A category that Klaviyo refuses is left out. Who deleted one there shall not keep its items from new prices.
      const isNamed = categories !== undefined && tries === 0
      return {
        id: entryId,
        ...rest,
        ...(isNamed && { categories: categories.filter((each) => there.has(each)) }),
      }
    })
    const answer = await klaviyoSessions.ask({
      name: 'catalog-job',
      items: entries.length,
      make: (options) => klaviyo.startCatalogJob({ ...task, entries: body }, options),
    })
    if (answer !== undefined && 'job' in answer) {
      await work.noteJob(own, answer.job)
      open?.push(follow({ ...task, job: answer.job }))
      return 'something'
    }
    if (answer !== undefined && 'errors' in answer) {
      const { errors } = answer
      const about = { job: own, failed: entries.length, errors, isWhole: true }
      await work.settle(jobOutcomes(entries, about))
      return 'something'
    }
    const isUnsent =
      answer === undefined || 'putOffUntil' in answer || answer.failed.is === 'misconfigured'
    await (isUnsent ? work.noteUnsent : work.noteLost)(own)
    return putOff(shop, answer)
  }

  return { look, find, send }
}

export type CatalogCalls = ReturnType<typeof createCatalogCalls>
