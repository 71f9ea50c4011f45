import type {
  CallFailure,
  CallName,
  ImportError,
  MarketingPlatform,
  Outcome,
  RateReading,
} from '../marketing/platform.js'
import { jobCancelled } from '../marketing/platform.js'
import type { LaneParts } from './lane.js'
import { asAnswer, leaseMs } from './platform-call.js'
import type { Step, Worker } from './worker.js'

const firstAskMs = 5_000
const longestAskMs = 5 * 60_000
const jobsAtOnce = 100

/** Asks what became of imports, which the platform carries out after its answer. */
export function createImportJobs(platform: MarketingPlatform, parts: LaneParts): Worker {
  const { outbox, budget, calls, clock } = parts
  /** When each open job is asked for next, and how long after that. */
  const asks = new Map<string, { at: number; waitMs: number }>()
  let lookAt = 0

  const next = async (): Promise<Step> => {
    const now = clock.now().getTime()
    const apiKey = await parts.apiKey()
    if (apiKey === undefined) return { nextAt: undefined }
    // With none known it is the look itself that finds the first, and says when to ask for it.
    if (asks.size === 0 || now >= lookAt) await findOpen(now)

    const due = [...asks].find(([, { at }]) => at <= now)?.[0]
    if (due === undefined) return { nextAt: soonest() }
    postpone(due, now)
    return { run: () => check(due, apiKey) }
  }

  const findOpen = async (now: number): Promise<void> => {
    const open = await outbox.openJobs(jobsAtOnce)
    lookAt = now + firstAskMs
    for (const job of asks.keys()) if (!open.includes(job)) asks.delete(job)
    for (const job of open) {
      if (!asks.has(job)) asks.set(job, { at: now + firstAskMs, waitMs: firstAskMs })
    }
  }

  const postpone = (job: string, now: number): void => {
    const waitMs = asks.get(job)?.waitMs ?? firstAskMs
    asks.set(job, { at: now + waitMs, waitMs: Math.min(longestAskMs, waitMs * 2) })
  }

  const soonest = (): Date | undefined => {
    const moments = [...asks.values()].map(({ at }) => at)
    if (moments.length === 0) return undefined
    return new Date(Math.max(clock.now().getTime() + 1, Math.min(...moments)))
  }

  const check = async (job: string, apiKey: string): Promise<void> => {
    const state = await ask('import-job', apiKey, (options) => platform.importJob(job, options))
    if (state === undefined) return
    if ('failed' in state) return endWithout(job, state)
    if (!state.isComplete) return
    const errors = state.failedCount === 0 ? [] : await readErrors(job, apiKey)
    if (errors !== undefined) await close(job, errors)
  }

  /** Page by page; undefined when one could not be read: the job is asked for again later. */
  const readErrors = async (job: string, apiKey: string): Promise<ImportError[] | undefined> => {
    const errors: ImportError[] = []
    let page: string | undefined
    do {
      const from: { page?: string } = page === undefined ? {} : { page }
      const read = await ask('import-errors', apiKey, (options) =>
        platform.importErrors(job, { ...options, ...from }),
      )
      if (read === undefined) return undefined
      if ('failed' in read) return isGone(read) ? errors : undefined
      errors.push(...read.errors)
      page = read.nextPage
    } while (page !== undefined)
    return errors
  }

  /** One call, counted and told to the budget; undefined when there is no slot or no time. */
  const ask = async <Result extends { rate?: RateReading }>(
    call: CallName,
    apiKey: string,
    make: (options: { apiKey: string; signal: AbortSignal }) => Promise<Result | CallFailure>,
  ): Promise<Result | CallFailure | undefined> => {
    const [slot] = await (await budget.look(call)).take(1)
    if (slot === undefined) return undefined
    let result: Result | CallFailure | undefined
    const answer = await calls.make({
      slot,
      apiKey,
      leaseUntil: new Date(clock.now().getTime() + leaseMs),
      items: 1,
      async make(options) {
        result = await make(options)
        const outcome: Outcome = 'failed' in result ? result.failed : { is: 'delivered' }
        return asAnswer(outcome, result.rate)
      },
    })
    if (answer !== undefined) await calls.report([slot], [answer])
    return result
  }

  /** A job that there is nothing more to be learned of. */
  const endWithout = async (job: string, failure: CallFailure): Promise<void> => {
    if (!isGone(failure)) return
    const { error } = failure.failed
    if (error.code !== jobCancelled) return close(job, [])
    await outbox.failJob(job, error)
    asks.delete(job)
  }

  const close = async (job: string, errors: readonly ImportError[]): Promise<void> => {
    await outbox.closeJob(job, errors)
    asks.delete(job)
  }

  return { name: 'import-jobs', next }
}

/** The platform keeps jobs for some time only: one that it has forgotten is asked for no more. */
const isGone = ({ failed }: CallFailure) => failed.is === 'refused'
