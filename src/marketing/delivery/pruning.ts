import type { MarketingSettings } from '../settings/marketing-settings.js'
import type { Shop } from '../../core/shop.js'
import { createRest } from '../../core/workers/rest.js'
import type { Worker } from '../../core/workers/worker.js'
import type { DeliveryStore } from './delivery-store.js'

const pruneEveryMs = 60 * 60_000
const goOnAfterMs = 1_500
const dayMs = 24 * 60 * 60_000

/** Sends that failed, or that wait for a key, hold personal data, so they are not kept for ever. */
export const failedDays = 90

/** Deletes sends that were delivered or failed long ago, or have waited so long for a key. */
export function createPruning(
  shop: Shop,
  { store, settings }: { store: DeliveryStore; settings: () => Promise<MarketingSettings> },
): Worker {
  const rest = createRest(shop)

  const run = async (): Promise<void> => {
    const now = shop.effects.now().getTime()
    rest.for(pruneEveryMs)
    const { retentionDays, keyProblem } = await settings()
    const daysAgo = (days: number) => new Date(now - days * dayMs)
    const failedBefore = daysAgo(Math.max(failedDays, retentionDays))
    // Sends stay for at least a day: a deleted send can no longer show that a new one is a repeat.
    const pruned = await store.prune(daysAgo(Math.max(1, retentionDays)), failedBefore, {
      isWithoutKey: keyProblem === 'missing',
    })
    if (pruned > 0) rest.for(goOnAfterMs)
  }

  return {
    name: 'pruning',
    next: () => rest.next(run),
  }
}
