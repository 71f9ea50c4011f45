import type { SettingsSource } from '../store/settings-source.js'
import type { Clock } from './clock.js'
import type { Outbox } from './outbox.js'
import type { Step, Worker } from './worker.js'

/** With a lease of seven seconds, what a lost worker had comes back within ten. */
const recoverEveryMs = 1_500
const pruneEveryMs = 60 * 60_000
const dayMs = 24 * 60 * 60_000

/** Failed sends hold people's data: what nobody has resent or dismissed by then goes. */
export const failedDays = 90

/** Takes back what lost workers had, and deletes what was delivered, or failed, long ago. */
export function createUpkeep({ outbox, clock, settings }: UpkeepParts): Worker {
  let recoverAt = 0
  let pruneAt = 0

  const prune = async (now: number): Promise<void> => {
    const { retentionDays } = await settings.marketing()
    // A day at least: a send that is gone can no longer tell that a repeat is one.
    const daysAgo = (days: number) => new Date(now - days * dayMs)
    const failedBefore = daysAgo(Math.max(failedDays, retentionDays))
    const pruned = await outbox.prune(daysAgo(Math.max(1, retentionDays)), failedBefore)
    pruneAt = now + (pruned > 0 ? recoverEveryMs : pruneEveryMs)
  }

  return {
    name: 'upkeep',
    next(): Promise<Step> {
      const now = clock.now().getTime()
      if (now < recoverAt) return Promise.resolve({ nextAt: new Date(recoverAt) })
      recoverAt = now + recoverEveryMs
      return Promise.resolve({
        async run() {
          await outbox.recover(clock.now())
          if (now >= pruneAt) await prune(now)
        },
      })
    },
  }
}

export interface UpkeepParts {
  outbox: Outbox
  clock: Clock
  settings: Pick<SettingsSource, 'marketing'>
}
