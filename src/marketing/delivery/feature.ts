import type { Config } from 'payload'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { runsLoop } from './delivery-mode.js'
import { deliveryOptions } from './delivery-options.js'
import { closeJobStats, withDeliveryTask, withReadableJobStats } from './delivery-task.js'
import { leaseCollection } from './lease.js'
import { sendCollection } from './send-collection.js'
import { withSendSchema } from './send-table.js'
import type { Options, DeliveryParts } from './parts.js'

/** The outbox, and the one process that delivers what is in it to Klaviyo. */
export const deliveryFeature = defineFeature({
  options: { marketing: deliveryOptions },
  collections: (store: StoreConfig<Options, DeliveryParts>) => [
    sendCollection(store, {
      hasTextIds: store.config.db.defaultIDType === 'text',
      timezone: store.options.timezone,
    }),
    leaseCollection(),
  ],
  config: (
    config: Config,
    { isAdmin, workingPartsOf }: StoreConfig<Options, DeliveryParts>,
  ): Config => ({
    ...config,
    db: withReadableJobStats(withSendSchema(config.db)),
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
  parts: async () => (await import('./parts.js')).deliveryParts,
})
