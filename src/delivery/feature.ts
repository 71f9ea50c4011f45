import type { Config } from 'payload'
import { emailIsUnchanged } from '../accounts/verified-email.js'
import { createCustomerConsents } from '../consent/customer-consents.js'
import { defineFeature, type Contributions, type StoreConfig } from '../feature.js'
import type { KlaviyoParts } from '../klaviyo/feature.js'
import type { MarketingSettingsParts } from '../marketing-settings/feature.js'
import type { OptionsOf } from '../options-schema.js'
import type { Shop } from '../shop.js'
import { createDeliverer } from './deliverer.js'
import { createDeliveryLoop } from './delivery-loop.js'
import { deliveryOptions } from './delivery-options.js'
import { closeJobStats, withDeliveryTask, withReadableJobStats } from './delivery-task.js'
import { leaseCollection } from './lease.js'
import { createNotifications } from './notifications.js'
import { createOutbox } from './outbox.js'
import { createPruning } from './pruning.js'
import { sendCollection } from './send-collection.js'
import { sendTable, withSendSchema } from './send-table.js'

export type DeliveryParts = ReturnType<typeof build>

/** How long Payload's task delivers: serverless functions live about a minute. */
const taskSeconds = 50

function build(
  shop: Shop,
  { platform, marketingSettings }: KlaviyoParts & MarketingSettingsParts,
  all: Contributions,
) {
  const { database, customersSlug } = shop
  const settings = marketingSettings.get
  const customerConsents = createCustomerConsents(database, {
    customersSlug,
    emailIsUnchanged,
  })
  const deliverer = createDeliverer(shop, {
    platform,
    settings,
    accountConsents: customerConsents?.find ?? (() => Promise.resolve(new Map())),
  })
  const delivery = createDeliveryLoop(shop, {
    deliverer,
    notifications: createNotifications(shop),
    workers: all.workers,
    flush: all.flush,
  })
  return {
    customerConsents,
    deliverer,
    delivery,
    deliveryStatus: () => deliverer.status(),
    outbox: createOutbox(database, () => delivery.wake()),
    sends: sendTable(database),
    pruning: createPruning(shop, settings),
  }
}

/** The outbox, and the one process that delivers what is in it to Klaviyo. */
export const deliveryFeature = defineFeature({
  options: { marketing: deliveryOptions },
  collections: (store: StoreConfig<object, DeliveryParts>) => [
    sendCollection(store, { hasTextIds: store.config.db.defaultIDType === 'text' }),
    leaseCollection(),
  ],
  config: (
    config: Config,
    { isAdmin, workingPartsOf, effects }: StoreConfig<object, DeliveryParts>,
  ): Config => ({
    ...config,
    db: withReadableJobStats(withSendSchema(config.db), effects),
    jobs: withDeliveryTask(config.jobs, {
      isAdmin,
      deliver: async ({ payload }) =>
        workingPartsOf(payload)?.delivery.runUntilIdle({
          deadline: new Date(effects.now().getTime() + taskSeconds * 1000),
        }),
    }),
    async onInit(payload) {
      closeJobStats(payload, isAdmin)
      await config.onInit?.(payload)
    },
  }),
  build,
  workers: (_shop: Shop, { pruning }: DeliveryParts) => [pruning],
  start(
    { options }: Shop<{ marketing: OptionsOf<typeof deliveryOptions> }>,
    { delivery }: DeliveryParts,
  ) {
    if (options.marketing.delivery === 'loop' && !isBuild()) delivery.start()
  },
})

/** Whether `next build` runs: it opens Payload too, but must not deliver. */
const isBuild = () => process.env.NEXT_PHASE === 'phase-production-build'
