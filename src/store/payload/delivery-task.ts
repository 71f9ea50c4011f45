import type { Config, PayloadRequest, RunJobAccess, TaskConfig } from 'payload'
import { sameText } from '../../http/same-text.js'
import type { IsAdmin } from './admin-access.js'

export const deliveryTaskSlug = 'storeconnect-deliver'
export const deliveryQueue = 'storeconnect'

type JobsConfig = NonNullable<Config['jobs']>

/**
 * Adds Payload's task that wakes the delivery on serverless hosting. It is an alarm clock and no
 * more: claims, leases and retries are the outbox's own, since Payload strands a job that is killed
 * and runs it twice under two workers (`docs/decisions/0007-outbox.md`).
 */
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
        // A job that was killed stays active for ever, and must not keep the next from being made.
        hooks: {
          beforeSchedule: ({ queueable }) => ({
            input: {},
            shouldSchedule: true,
            ...(queueable.waitUntil && { waitUntil: queueable.waitUntil }),
          }),
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

/** Payload's default lets every customer run jobs: here admins, and a cron that knows CRON_SECRET. */
const mayRunJobs =
  (isAdmin: IsAdmin): RunJobAccess =>
  ({ req }) => {
    const secret = process.env.CRON_SECRET ?? ''
    const given = req.headers.get('authorization') ?? ''
    return (secret !== '' && sameText(given, `Bearer ${secret}`)) || isAdmin({ req })
  }
