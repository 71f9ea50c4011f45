import type { SettingsSource } from '../store/settings-source.js'
import type { Clock } from './clock.js'
import type { DeliveryStore } from './delivery-store.js'
import type { Worker } from './worker.js'

const pruneEveryMs = 60 * 60_000
const goOnAfterMs = 1_500
const dayMs = 24 * 60 * 60_000

/** Failed sends hold people's data: what nobody has resent or dismissed by then goes. */
export const failedDays = 90

export interface PruningParts {
  store: Pick<DeliveryStore, 'prune'>
  clock: Clock
  settings: Pick<SettingsSource, 'marketing'>
}

/** Deletes what was delivered, or failed, long ago. */
export function createPruning({ store, clock, settings }: PruningParts): Worker {
  let pruneAt = 0

  const run = async (): Promise<void> => {
    const now = clock.now().getTime()
    pruneAt = now + pruneEveryMs
    const { retentionDays } = await settings.marketing()
    const daysAgo = (days: number) => new Date(now - days * dayMs)
    const failedBefore = daysAgo(Math.max(failedDays, retentionDays))
    // A day at least: a send that is gone can no longer tell that a repeat is one.
    const pruned = await store.prune(daysAgo(Math.max(1, retentionDays)), failedBefore)
    if (pruned > 0) pruneAt = now + goOnAfterMs
  }

  return {
    name: 'pruning',
    next: () =>
      Promise.resolve(clock.now().getTime() < pruneAt ? { nextAt: new Date(pruneAt) } : { run }),
  }
}
