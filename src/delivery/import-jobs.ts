import {
  jobCancelled,
  type CallOptions,
  type ImportError,
  type MarketingPlatform,
  type Outcome,
  type PlatformError,
  type RateReading,
} from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import type { CallBudget } from './call-budget.js'
import { soonest } from './call-planner.js'
import type { Clock } from './clock.js'
import type { DeliveryStore, ImportedSend, ImportEnd } from './delivery-store.js'
import type { Lease } from './lease.js'
import { askPlatform, type PlatformCall, type Question } from './platform-call.js'

const firstAskMs = 5_000
const longestAskMs = 5 * 60_000
const jobsAtOnce = 100

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

export interface ImportJobParts {
  platform: MarketingPlatform
  store: Pick<DeliveryStore, 'readOpenJobs' | 'readJob' | 'endJob'>
  lease: Lease
  budget: CallBudget
  call: PlatformCall
  clock: Clock
  random: () => number
  log: Log
  /** A job is over: what becomes of its sends is written. */
  onEnd: (ids: readonly number[]) => void
}

/** Asks what became of imports, which the platform carries out after its answer; a call at a time. */
export function createImportJobs(parts: ImportJobParts) {
  const { platform, store, lease, budget, call, clock, random, log, onEnd } = parts
  const jobs = new Map<string, OpenJob>()
  /** Whether there may be some that are not known here. */
  let isStale = true

  const now = () => clock.now().getTime()

  async function findOpen(): Promise<void> {
    isStale = false
    for (const id of await store.readOpenJobs(jobsAtOnce)) {
      if (jobs.has(id)) continue
      const job: OpenJob = { id, askAt: 0, waitMs: firstAskMs, isBusy: false }
      jobs.set(id, job)
      postpone(job)
    }
  }

  function postpone(job: OpenJob): void {
    job.askAt = now() + Math.floor(job.waitMs * (0.5 + random() / 2))
    job.waitMs = Math.min(longestAskMs, job.waitMs * 2)
  }

  /** One call: whether the job is complete, and then its errors, page by page. */
  async function check(job: OpenJob, apiKey: string): Promise<void> {
    if (job.errors === undefined) {
      const make = (options: CallOptions) => platform.importJob(job.id, options)
      const state = await ask(job, { name: 'import-job', apiKey, make })
      if (!state?.isComplete) return
      job.errors = []
      if (state.failedCount === 0) return close(job)
    } else {
      const page = job.page === undefined ? {} : { page: job.page }
      const make = (options: CallOptions) => platform.importErrors(job.id, { ...options, ...page })
      const read = await ask(job, { name: 'import-errors', apiKey, make })
      if (read === undefined) return
      job.errors.push(...read.errors)
      job.page = read.nextPage
      if (read.nextPage === undefined) return close(job)
    }
    job.askAt = now()
    job.waitMs = firstAskMs
  }

  /** Undefined when nothing is known now, or never will be. */
  async function ask<Result extends { rate?: RateReading }>(
    job: OpenJob,
    question: Omit<Question<Result>, 'items'>,
  ): Promise<Result | undefined> {
    const told = await askPlatform({ budget, call }, { ...question, items: 1 })
    if ('putOffUntil' in told) job.askAt = Math.max(told.putOffUntil, now() + 1)
    else if ('failed' in told) await endWithout(job, told.failed)
    else return told
  }

  /** A job that there is nothing more to be learned of; any other is asked for again. */
  async function endWithout(job: OpenJob, failed: Outcome): Promise<void> {
    if (failed.is !== 'refused') return
    const { error } = failed
    if (error.code === jobCancelled) {
      return end(job, (sends) => sends.map(({ id }) => ({ id, to: 'failed', ...error })))
    }
    const fields = { code: jobForgotten, job: job.id, errorsRead: job.errors?.length ?? 0 }
    log.warn(fields, 'The platform has forgotten an import: what it did not take is not known')
    await close(job)
  }

  const close = (job: OpenJob): Promise<void> =>
    end(job, (sends) => outcomesOf(sends, job.errors ?? []))

  async function end(
    job: OpenJob,
    decide: (sends: readonly ImportedSend[]) => ImportEnd[],
  ): Promise<void> {
    const sends = await store.readJob(job.id)
    await store.endJob(decide(sends), lease, clock.now())
    // Some may be left that were beyond those that are read at once.
    if (jobs.size >= jobsAtOnce) isStale = true
    jobs.delete(job.id)
    onEnd(sends.map(({ id }) => id))
  }

  return {
    /** The questions to ask now, and when there will be more, if any job is open. */
    async due(
      apiKey: string,
    ): Promise<{ questions: (() => Promise<void>)[]; nextAt: number | undefined }> {
      if (isStale) await findOpen()
      const idle = [...jobs.values()].filter(({ isBusy }) => !isBusy)
      const due = idle.filter(({ askAt }) => askAt <= now())
      for (const job of due) {
        job.isBusy = true
        postpone(job)
      }
      return {
        questions: due.map(
          (job) => () => check(job, apiKey).finally(() => void (job.isBusy = false)),
        ),
        nextAt: soonest(idle.filter(({ isBusy }) => !isBusy).map(({ askAt }) => askAt)),
      }
    },

    /** A call has begun one. */
    lookSoon(): void {
      isStale = true
    },
  }
}

/** In the log: the platform keeps jobs for some time only. */
const jobForgotten = 'JOB_FORGOTTEN'

/**
 * What the errors of a job mean for its sends. An error that names nobody is one of the sends that no
 * other error names, first of those without an email. Where it is open which, they stay delivered
 * and show the error.
 */
function outcomesOf(
  imported: readonly ImportedSend[],
  failures: readonly ImportError[],
): ImportEnd[] {
  const named = new Map(failures.map((failure) => [`email:${failure.email ?? ''}`, failure]))
  const unnamed = failures.filter(({ email }) => email === undefined)
  const open = imported.filter(({ profile }) => !named.has(profile))
  const withoutEmail = open.filter(({ profile }) => !profile.startsWith('email:'))
  const candidates = new Set(withoutEmail.length > 0 ? withoutEmail : open)
  const isCertain = unnamed.length >= candidates.size
  const [other] = unnamed
  return imported.map((send): ImportEnd & Partial<PlatformError> => {
    const { id, profile } = send
    const failure = named.get(profile) ?? (candidates.has(send) ? other : undefined)
    if (failure === undefined) return { id, to: 'sent' }
    const { error, isAmendable } = failure
    if (!named.has(profile) && !isCertain) return { id, to: 'sent', ...error }
    // Something later of its profile may have been sent where it is held no more.
    return { id, to: isAmendable && send.isHeld ? 'queued' : 'failed', ...error }
  })
}
