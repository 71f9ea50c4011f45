import {
  jobCancelled,
  type CallFailure,
  type CallName,
  type CallOptions,
  type ImportError,
  type MarketingPlatform,
  type Outcome,
  type PlatformError,
  type RateReading,
} from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import type { CallBudget } from './call-budget.js'
import type { Clock } from './clock.js'
import type { DeliveryStore, ImportedSend, ImportEnd } from './delivery-store.js'
import type { Lease } from './lease.js'
import { asAnswer, type PlatformCall } from './platform-call.js'

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
  onEnd: (sends: readonly ImportedSend[]) => void
}

/** Asks what became of imports, which the platform carries out after its answer; a call at a time. */
export function createImportJobs(parts: ImportJobParts) {
  const { platform, store, lease, budget, call, clock, random, log, onEnd } = parts
  const jobs = new Map<string, OpenJob>()
  /** Whether there may be some that are not known here. */
  let isStale = true

  const now = () => clock.now().getTime()

  const findOpen = async (): Promise<void> => {
    isStale = false
    const open = await store.readOpenJobs(jobsAtOnce)
    for (const id of open) {
      if (jobs.has(id)) continue
      const job: OpenJob = { id, askAt: 0, waitMs: firstAskMs, isBusy: false }
      jobs.set(id, job)
      postpone(job)
    }
  }

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

  /** One call; undefined when there is no permit or no time. */
  const ask = async <Result extends { rate?: RateReading }>(
    job: OpenJob,
    name: CallName,
    { apiKey, make }: { apiKey: string; make: Make<Result> },
  ): Promise<Result | CallFailure | undefined> => {
    const { nextAt } = budget.roomFor(name, apiKey)
    const [permit] = budget.take(name, apiKey, 1)
    if (permit === undefined) {
      job.askAt = Math.max(nextAt, now() + 1)
      return undefined
    }
    let result: Result | CallFailure | undefined
    await call({
      permit,
      items: 1,
      async make(options) {
        result = await make(options)
        const outcome: Outcome = 'failed' in result ? result.failed : { is: 'delivered' }
        return asAnswer(outcome, result.rate)
      },
    })
    return result
  }

  /** A job that there is nothing more to be learned of; any other is asked for again. */
  const endWithout = async (job: OpenJob, { failed }: CallFailure): Promise<void> => {
    if (failed.is !== 'refused') return
    if (failed.error.code === jobCancelled) {
      const { error } = failed
      return end(job, (sends) => sends.map(({ id }) => ({ id, to: 'failed', ...error })))
    }
    const fields = { code: jobForgotten, job: job.id, errorsRead: job.errors?.length ?? 0 }
    log.warn(fields, 'The platform has forgotten an import: what it did not take is not known')
    await close(job)
  }

  const close = (job: OpenJob): Promise<void> =>
    end(job, (sends) => outcomesOf(sends, job.errors ?? []))

  const end = async (
    job: OpenJob,
    decide: (sends: readonly ImportedSend[]) => ImportEnd[],
  ): Promise<void> => {
    const sends = await store.readJob(job.id)
    await store.endJob(decide(sends), lease, clock.now())
    // Some may be left that were beyond those that are read at once.
    if (jobs.size >= jobsAtOnce) isStale = true
    jobs.delete(job.id)
    onEnd(sends)
  }

  return {
    /** The next question to ask; otherwise when there will be one, if any job is open. */
    async next(
      apiKey: string,
    ): Promise<{ run: () => Promise<void> } | { nextAt: number | undefined }> {
      if (isStale) await findOpen()
      const idle = [...jobs.values()].filter(({ isBusy }) => !isBusy)
      const due = idle.find(({ askAt }) => askAt <= now())
      if (due === undefined) {
        return { nextAt: idle.length === 0 ? undefined : Math.min(...idle.map((job) => job.askAt)) }
      }
      due.isBusy = true
      postpone(due)
      return { run: () => check(due, apiKey) }
    },

    /** A call has begun one. */
    lookSoon(): void {
      isStale = true
    },
  }
}

type Make<Result> = (options: CallOptions) => Promise<Result | CallFailure>

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
