import type { SettingsSource } from '../store/settings-source.js'
import type { Clock } from './clock.js'
import type { DeliveryStore } from './delivery-store.js'
import type { Step, Worker } from './worker.js'

const pruneEveryMs = 60 * 60_000
const goOnAfterMs = 1_500
const dayMs = 24 * 60 * 60_000

/** Failed sends hold people's data: what nobody has resent or dismissed by then goes. */
export const failedDays = 90

/** Deletes what was delivered, or failed, long ago. */
export function createPruning({ store, clock, settings }: PruningParts): Worker {
  let pruneAt = 0

  const prune = async (now: number): Promise<void> => {
    const { retentionDays } = await settings.marketing()
    // A day at least: a send that is gone can no longer tell that a repeat is one.
    const daysAgo = (days: number) => new Date(now - days * dayMs)
    const failedBefore = daysAgo(Math.max(failedDays, retentionDays))
    const pruned = await store.prune(daysAgo(Math.max(1, retentionDays)), failedBefore)
    if (pruned > 0) pruneAt = now + goOnAfterMs
  }

  return {
    name: 'pruning',
    next(): Promise<Step> {
      const now = clock.now().getTime()
      if (now < pruneAt) return Promise.resolve({ nextAt: new Date(pruneAt) })
      pruneAt = now + pruneEveryMs
      return Promise.resolve({ run: () => prune(now) })
    },
  }
}

export interface PruningParts {
  store: Pick<DeliveryStore, 'prune'>
  clock: Clock
  settings: Pick<SettingsSource, 'marketing'>
}
