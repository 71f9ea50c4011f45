import type { Config } from 'payload'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { deliveryMatters } from './matters.js'
import { sendCollection } from './send-collection.js'
import { withSendSchema } from './send-table.js'
import type { DeliveryParts } from './parts.js'

/** The outbox, and what delivers it to Klaviyo. */
export const deliveryFeature = defineFeature({
  collections: (store: StoreConfig<object, DeliveryParts>) => [
    sendCollection(store, {
      hasTextIds: store.config.db.defaultIDType === 'text',
      timezone: store.options.timezone,
      ordersSlug: store.options.collections.orders,
      customersSlug: store.customersSlug,
    }),
  ],
  matters: deliveryMatters,
  config: (config: Config): Config => ({ ...config, db: withSendSchema(config.db) }),
  parts: async () => (await import('./parts.js')).deliveryParts,
})
