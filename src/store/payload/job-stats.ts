import type { BasePayload, Config, FindGlobalArgs } from 'payload'
import { z } from 'zod'
import { adminsOnly, type IsAdmin } from './admin-access.js'

/** The global in which Payload keeps when its scheduled tasks last ran. */
const jobStatsSlug = 'payload-jobs-stats'

/** Clocks of two processes differ a little. */
const aheadMilliseconds = 60_000

const lastRun = z.iso
  .datetime()
  .refine((text) => new Date(text).getTime() <= Date.now() + aheadMilliseconds)
const lastRuns = z.record(z.string(), z.object({ lastScheduledRun: lastRun.nullish() })).nullish()
const queues = z.record(z.string(), z.object({ tasks: lastRuns, workflows: lastRuns }))
const jobStats = z.object({
  stats: z.object({ scheduledRuns: z.object({ queues: queues.nullish() }).nullish() }).nullish(),
})

/**
 * Payload adds the global where a task has a schedule, and lets every logged-in user read and write
 * it. It does so behind all plugins, so the rules can only be set once Payload is there.
 */
export function closeJobStats(payload: BasePayload, isAdmin: IsAdmin): void {
  const global = payload.globals.config.find(({ slug }) => slug === jobStatsSlug)
  if (global === undefined) return
  const access = adminsOnly(isAdmin)
  global.access = { ...global.access, read: access, update: access }
}

/** Payload's scheduler fails on a last run that is no date, and waits for ever behind one to come. */
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
