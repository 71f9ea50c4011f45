import type { Config } from 'payload'
import { defineFeature, type StoreConfig } from '../feature.js'
import { runsLoop, deliveryOptions } from './delivery-mode.js'
import { closeJobStats, withDeliveryTask, withReadableJobStats } from './delivery-task.js'
import { leaseCollection } from './lease.js'
import type { Options, WorkerParts } from './parts.js'

/** The workers, and the one process that runs them: in a loop, after its responses, or when a task says so. */
export const workersFeature = defineFeature({
  options: { marketing: deliveryOptions },
  collections: () => [leaseCollection()],
  config: (
    config: Config,
    { isAdmin, workingPartsOf }: StoreConfig<Options, WorkerParts>,
  ): Config => ({
    ...config,
    db: withReadableJobStats(config.db),
    jobs: withDeliveryTask(config.jobs, {
      isAdmin,
      deliver: async ({ payload }) => {
        await (await workingPartsOf(payload))?.deliverForAWhile()
      },
    }),
    async onInit(payload) {
      closeJobStats(payload, isAdmin)
      await config.onInit?.(payload)
    },
  }),
  isNeededAtStart: ({ options }: StoreConfig<Options>) => runsLoop(options.marketing),
  parts: async () => (await import('./parts.js')).workerParts,
})
