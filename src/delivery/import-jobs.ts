import {
  jobCancelled,
  type CallFailure,
  type CallName,
  type CallOptions,
  type ImportError,
  type MarketingPlatform,
  type Outcome,
  type RateReading,
} from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import type { LaneParts } from './lane.js'
import { asAnswer, leaseMs } from './platform-call.js'
import type { Step, Worker } from './worker.js'

const firstAskMs = 5_000
const longestAskMs = 5 * 60_000
const jobsAtOnce = 100

/** After another worker was faster. */
const raceWaitMs = 50

/** A job that is not closed, and what is known of it. */
interface OpenJob {
  id: string
  /** When it is asked for next, and how long after that. */
  askAt: number
  waitMs: number
  /** Whether a call about it is under way. */
  isBusy: boolean
  /** The errors that were read so far; undefined while it is not known to be complete. */
  errors?: ImportError[]
  /** The page of errors that is read next; undefined for the first. */
  page?: string | undefined
}

export interface ImportJobParts extends LaneParts {
  log: Log
}

/** Asks what became of imports, which the platform carries out after its answer; a call at a time. */
export function createImportJobs(platform: MarketingPlatform, parts: ImportJobParts): Worker {
  const { outbox, budget, calls, clock, random, log } = parts
  const jobs = new Map<string, OpenJob>()
  let lookAt = 0

  const now = () => clock.now().getTime()

  const next = async (): Promise<Step> => {
    const apiKey = await parts.apiKey()
    if (apiKey === undefined) return { nextAt: undefined }
    // With none known it is the look itself that finds the first, and says when to ask for it.
    if (jobs.size === 0 || now() >= lookAt) await findOpen()

    const idle = [...jobs.values()].filter(({ isBusy }) => !isBusy)
    const due = idle.find(({ askAt }) => askAt <= now())
    if (due === undefined) return { nextAt: soonest(idle) }
    due.isBusy = true
    postpone(due)
    return { run: () => check(due, apiKey) }
  }

  const findOpen = async (): Promise<void> => {
    const open = await outbox.openJobs(jobsAtOnce)
    lookAt = now() + firstAskMs
    for (const id of jobs.keys()) if (!open.includes(id)) jobs.delete(id)
    for (const id of open) {
      if (jobs.has(id)) continue
      const job: OpenJob = { id, askAt: 0, waitMs: firstAskMs, isBusy: false }
      jobs.set(id, job)
      postpone(job)
    }
  }

  /** Jitter of a half: of several workers one is first, and mostly has it closed before the others ask. */
  const postpone = (job: OpenJob): void => {
    job.askAt = now() + Math.floor(job.waitMs * (0.5 + random() / 2))
    job.waitMs = Math.min(longestAskMs, job.waitMs * 2)
  }

  const goOn = (job: OpenJob): void => {
    job.askAt = now()
    job.waitMs = firstAskMs
  }

  const check = async (job: OpenJob, apiKey: string): Promise<void> => {
    try {
      await (job.errors === undefined ? readState(job, apiKey) : readPage(job, job.errors, apiKey))
    } finally {
      job.isBusy = false
    }
  }

  const readState = async (job: OpenJob, apiKey: string): Promise<void> => {
    const make = (options: CallOptions) => platform.importJob(job.id, options)
    const state = await ask(job, 'import-job', { apiKey, make })
    if (state === undefined) return
    if ('failed' in state) return endWithout(job, state)
    if (!state.isComplete) return
    job.errors = []
    if (state.failedCount === 0) return close(job)
    goOn(job)
  }

  const readPage = async (job: OpenJob, errors: ImportError[], apiKey: string): Promise<void> => {
    const from: { page?: string } = job.page === undefined ? {} : { page: job.page }
    const make = (options: CallOptions) => platform.importErrors(job.id, { ...options, ...from })
    const read = await ask(job, 'import-errors', { apiKey, make })
    if (read === undefined) return
    if ('failed' in read) return endWithout(job, read)
    errors.push(...read.errors)
    job.page = read.nextPage
    if (read.nextPage === undefined) return close(job)
    goOn(job)
  }

  /** One call, counted and told to the budget; undefined when there is no slot or no time. */
  const ask = async <Result extends { rate?: RateReading }>(
    job: OpenJob,
    call: CallName,
    { apiKey, make }: { apiKey: string; make: Make<Result> },
  ): Promise<Result | CallFailure | undefined> => {
    const look = await budget.look(call, apiKey)
    const [slot] = await look.take(1)
    if (slot === undefined) {
      job.askAt = Math.max(look.room.nextAt, now() + raceWaitMs)
      return undefined
    }
    let result: Result | CallFailure | undefined
    const answer = await calls.make({
      slot,
      apiKey,
      leaseUntil: new Date(now() + leaseMs),
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

  /** A job that there is nothing more to be learned of; any other is asked for again. */
  const endWithout = async (job: OpenJob, { failed }: CallFailure): Promise<void> => {
    if (failed.is !== 'refused') return
    if (failed.error.code === jobCancelled) {
      await outbox.failJob(job.id, failed.error, clock.now())
      jobs.delete(job.id)
      return
    }
    const fields = { code: jobForgotten, job: job.id, errorsRead: job.errors?.length ?? 0 }
    log.warn(fields, 'The platform has forgotten an import: what it did not take is not known')
    await close(job)
  }

  const close = async (job: OpenJob): Promise<void> => {
    await outbox.closeJob(job.id, job.errors ?? [], clock.now())
    jobs.delete(job.id)
  }

  return { name: 'import-jobs', next }
}

type Make<Result> = (options: CallOptions) => Promise<Result | CallFailure>

/** In the log: the platform keeps jobs for some time only. */
const jobForgotten = 'JOB_FORGOTTEN'

/** Undefined when none is open that nobody asks for now. */
function soonest(jobs: readonly OpenJob[]): Date | undefined {
  const moments = jobs.map(({ askAt }) => askAt)
  return moments.length === 0 ? undefined : new Date(Math.min(...moments))
}
