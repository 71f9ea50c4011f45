import type {
  Config,
  PayloadRequest,
  RunJobAccess,
  TaskConfig,
  BasePayload,
  FindGlobalArgs,
} from 'payload'
import { sameText } from '../signing.js'
import type { IsAdmin } from '../payload/admin-access.js'
import * as z from 'zod/mini'

/** The global where Payload stores when its scheduled tasks last ran. */
const jobStatsSlug = 'payload-jobs-stats'

const lastRuns = z.nullish(
  z.record(z.string(), z.object({ lastScheduledRun: z.nullish(z.iso.datetime()) })),
)
const queues = z.record(z.string(), z.object({ tasks: lastRuns, workflows: lastRuns }))
const jobStats = z.object({
  stats: z.nullish(z.object({ scheduledRuns: z.nullish(z.object({ queues: z.nullish(queues) })) })),
})

/**
 * Payload lets every user read and write this global, and adds it after all plugins, so it can be closed only at
 * the start.
 */
export function closeJobStats(payload: BasePayload, isAdmin: IsAdmin): void {
  const global = payload.globals.config.find(({ slug }) => slug === jobStatsSlug)
  if (global === undefined) return
  global.access = { ...global.access, read: isAdmin, update: isAdmin }
}

/** Hides unusable job statistics from Payload's scheduler, which fails on a last run that is not a date. */
export const withReadableJobStats = (db: Config['db']): Config['db'] => ({
  ...db,
  init(args) {
    const adapter = db.init(args)
    const { findGlobal } = adapter
    adapter.findGlobal = async <Global extends Record<string, unknown>>(asked: FindGlobalArgs) => {
      const global = await findGlobal.call<typeof adapter, [FindGlobalArgs], Promise<Global>>(
        adapter,
        asked,
      )
      const isReadable = asked.slug !== jobStatsSlug || jobStats.safeParse(global).success
      return isReadable ? global : { ...global, stats: null }
    }
    return adapter
  },
})

const deliveryTaskSlug = 'storeconnect-deliver'
const deliveryQueue = 'storeconnect'

type JobsConfig = NonNullable<Config['jobs']>

/** A task that wakes the delivery. Lease and retries are the outbox's own (`docs/decisions/0005-outbox.md`). */
export function withDeliveryTask(
  jobs: JobsConfig | undefined,
  parts: { isAdmin: IsAdmin; deliver: (req: PayloadRequest) => Promise<void> },
): JobsConfig {
  const task: TaskConfig<typeof deliveryTaskSlug> = {
    slug: deliveryTaskSlug,
    retries: 0,
    schedule: [
      {
        cron: '* * * * *',
        queue: deliveryQueue,
        hooks: {
          // A killed job stays active for ever. It must not keep the next job from being scheduled. The job runs
          // in the call that schedules it, as the next call may come a day later.
          beforeSchedule: () => ({ input: {}, shouldSchedule: true }),
        },
      },
    ],
    async handler({ req }) {
      await parts.deliver(req)
      return { output: {} }
    },
  }
  return {
    ...jobs,
    access: { run: mayRunJobs(parts.isAdmin), ...jobs?.access },
    tasks: [...(jobs?.tasks ?? []), task],
  }
}

/** Admins, and a cron service that knows CRON_SECRET. By default Payload lets every customer. */
const mayRunJobs =
  (isAdmin: IsAdmin): RunJobAccess =>
  ({ req }) => {
    const secret = cronSecret()
    const given = req.headers.get('authorization') ?? ''
    return (secret !== '' && sameText(given, `Bearer ${secret}`)) || isAdmin({ req })
  }

/** What a cron service sends to prove who it is; blank when the environment has none. */
export const cronSecret = (): string => process.env.CRON_SECRET ?? ''
