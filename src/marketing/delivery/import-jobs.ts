import {
  jobCancelled,
  type ImportError,
  type MarketingPlatform,
  type Outcome,
  type PlatformError,
} from '../klaviyo/platform.js'
import type { Meaning } from './attempt.js'
import { attemptWithout, type CallTrace } from './attempts.js'
import { soonest } from './call-planner.js'
import type { Shop } from '../../core/shop.js'
import type { DeliveryStore, ImportedSend } from './delivery-store.js'
import type { Lease } from './lease.js'
import type { Settlement } from './send.js'
import type { PlatformCall, Question } from './platform-call.js'

const firstAskMs = 5_000
const longestAskMs = 5 * 60_000
const jobsAtOnce = 100

/** An open job and its state. */
interface OpenJob {
  id: string
  /** When to ask about it next, in milliseconds since 1970. */
  askAt: number
  /** How long to wait after that. */
  waitMs: number
  /** Whether a call about it is under way. */
  isBusy: boolean
  /** The errors read so far; undefined until the job is known to be complete. */
  errors?: ImportError[]
  /** The next page of errors to read; undefined for the first. */
  page?: string | undefined
}

interface ImportJobSetup {
  platform: MarketingPlatform
  store: DeliveryStore
  lease: Lease
  platformCall: PlatformCall
  /** Called after the outcomes of a job's sends are written. */
  onEnd: (ids: readonly number[]) => void
}

/** Asks the platform what became of its asynchronous imports, with one call at a time for each. */
export function createImportJobs({ waits, effects, log }: Shop, setup: ImportJobSetup) {
  const { platform, store, lease, platformCall, onEnd } = setup
  const jobs = new Map<string, OpenJob>()
  /** Whether the database may have open jobs that are not in memory. */
  let isStale = true

  const now = () => waits.now().getTime()

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
    job.askAt = now() + Math.floor(job.waitMs * (0.5 + effects.random() / 2))
    job.waitMs = Math.min(longestAskMs, job.waitMs * 2)
  }

  /** Asks whether the job is complete or, once it is, reads the next page of errors. */
  async function check(job: OpenJob, apiKey: string): Promise<void> {
    if (job.errors === undefined) {
      const state = await ask(job, {
        name: 'import-job',
        apiKey,
        make: (options) => platform.importJob(job.id, options),
      })
      if (!state?.isComplete) return
      job.errors = []
      if (state.failedCount === 0) return end(job, state.trace)
    } else {
      const page = job.page === undefined ? {} : { page: job.page }
      const read = await ask(job, {
        name: 'import-errors',
        apiKey,
        make: (options) => platform.importErrors(job.id, { ...options, ...page }),
      })
      if (read === undefined) return
      job.errors.push(...read.errors)
      job.page = read.nextPage
      if (read.nextPage === undefined) return end(job, read.trace)
    }
    job.askAt = now()
    job.waitMs = firstAskMs
  }

  /** Undefined when the platform gave no answer; then the job is asked about later, or has ended. */
  async function ask<Result>(job: OpenJob, question: Omit<Question<Result>, 'items'>) {
    const answer = await platformCall.ask({ ...question, items: 1 })
    if ('putOffUntil' in answer) job.askAt = Math.max(answer.putOffUntil, now() + 1)
    else if ('failed' in answer) await endWithout(job, answer.failed, answer.trace)
    else return answer
  }

  /** Ends a job that the platform cancelled or forgot. Any other is asked about again. */
  async function endWithout(job: OpenJob, failed: Outcome, trace: CallTrace): Promise<void> {
    if (failed.is !== 'refused') return
    const { error } = failed
    if (error.code === jobCancelled) return end(job, trace, error)
    const fields = { code: jobForgotten, job: job.id, errorsRead: job.errors?.length ?? 0 }
    log.warn(fields, 'The platform no longer knows an import, nor which profiles it refused')
    await end(job, trace)
  }

  /** Settles the sends of a job. All of them fail when the platform cancelled it. */
  async function end(job: OpenJob, trace: CallTrace, cancelled?: PlatformError): Promise<void> {
    const sends = await store.readJob(job.id)
    const at = waits.now()
    const settlements = cancelled
      ? sends.map(({ id }) => ({ id, to: 'failed' as const, error: cancelled }))
      : outcomesOf(sends, job.errors ?? [], at)
    await store.settle(
      settlements.map((step) => withAnswer(step, trace)),
      lease,
      at,
    )
    // There may be more jobs than one read returned.
    if (jobs.size >= jobsAtOnce) isStale = true
    jobs.delete(job.id)
    onEnd(sends.map(({ id }) => id))
  }

  return {
    /** The questions to ask now, and when the next ones are due; undefined when no job is open. */
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

    /** Call it when a call has started a job. */
    jobStarted(): void {
      isStale = true
    },
  }
}

/** Code for the log. The platform keeps jobs only for some time. */
const jobForgotten = 'JOB_FORGOTTEN'

/** What the job said of a send is an attempt of its own; that the platform took it is known already. */
function withAnswer(step: Settlement, trace: CallTrace): Settlement {
  if (step.to === 'sent') return step
  const meant: Meaning = step.to === 'queued' ? 'split' : 'refused'
  const error = 'error' in step ? step.error : undefined
  return { ...step, attempt: attemptWithout(trace, { meant, step, error }) }
}

/**
 * An error without an email belongs to a send that no other error names, preferably one whose profile
 * has no email. If it is uncertain which, the candidates count as delivered and show the error.
 */
function outcomesOf(
  imported: readonly ImportedSend[],
  failures: readonly ImportError[],
  now: Date,
): Settlement[] {
  const named = new Map(failures.map((failure) => [`email:${failure.email ?? ''}`, failure]))
  const unnamed = failures.filter(({ email }) => email === undefined)
  const open = imported.filter(({ profile }) => !named.has(profile))
  const withoutEmail = open.filter(({ profile }) => !profile.startsWith('email:'))
  const candidates = new Set(withoutEmail.length > 0 ? withoutEmail : open)
  const isCertain = unnamed.length >= candidates.size
  const [other] = unnamed
  const counts = new Map<string, number>()
  for (const { profile } of imported) counts.set(profile, (counts.get(profile) ?? 0) + 1)
  return imported.map((send): Settlement => {
    const { id, profile, attempts } = send
    const failure = named.get(profile) ?? (candidates.has(send) ? other : undefined)
    if (failure === undefined) return { id, to: 'sent' }
    const { error, isAmendable } = failure
    if (!named.has(profile) && !isCertain) return { id, to: 'sent', error }
    // A send that no longer holds back its profile must not be queued: a later send may already be out.
    // Sends of one profile were one entry: alone, each shows whether its own value is refused.
    const mayBeTaken = isAmendable || (counts.get(profile) ?? 0) > 1
    if (!mayBeTaken || !send.isHeld) return { id, to: 'failed', error }
    return { id, to: 'queued', nextAttemptAt: now, attempts, batchSize: 1, error }
  })
}
