import type { Config } from 'payload'
import { emailIsUnchanged } from '../accounts/verified-email.js'
import { createCustomerConsents } from '../consent/customer-consents.js'
import type { Contributions, Feature, StoreConfig } from '../feature.js'
import type { KlaviyoParts } from '../klaviyo/feature.js'
import type { MarketingSettingsParts } from '../marketing-settings/feature.js'
import type { OptionsOf } from '../options-schema.js'
import type { Shop } from '../shop.js'
import { catchUpFeeds, isFeed } from '../workers/worker.js'
import { createDeliverer } from './deliverer.js'
import { createDeliveryLoop } from './delivery-loop.js'
import { deliveryOptions } from './delivery-options.js'
import { createDeliveryStore } from './delivery-store.js'
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
  const { payload, database, log, clock, waits, customersSlug } = shop
  const settings = marketingSettings.get
  const customerConsents = createCustomerConsents(database, {
    customersSlug,
    emailIsUnchanged,
  })
  const deliverer = createDeliverer({
    database,
    platform,
    settings,
    log,
    clock,
    waits,
    ...(customerConsents && { accountConsents: customerConsents.find }),
  })
  const delivery = createDeliveryLoop({
    deliverer,
    get workers() {
      return all.workers()
    },
    get feeds() {
      return all.workers().filter(isFeed)
    },
    notifications: createNotifications(payload, database, log),
    clock,
    waits,
    log,
    catchUp: (deadline) => catchUpFeeds(all.workers().filter(isFeed), { deadline, log }),
    flush: all.flush,
  })
  return {
    customerConsents,
    deliverer,
    delivery,
    deliveryStatus: () => deliverer.status(),
    outbox: createOutbox(database, () => delivery.wake()),
    sends: sendTable(database),
    pruning: createPruning({ store: createDeliveryStore(database), clock, waits, settings }),
  }
}

/** The outbox, and the one process that delivers what is in it to Klaviyo. */
export const deliveryFeature = {
  options: { marketing: deliveryOptions },
  collections: (store: StoreConfig<object, DeliveryParts>) => [
    sendCollection(store, { hasTextIds: store.config.db.defaultIDType === 'text' }),
    leaseCollection(),
  ],
  config: (
    config: Config,
    { isAdmin, workingPartsOf }: StoreConfig<object, DeliveryParts>,
  ): Config => ({
    ...config,
    db: withReadableJobStats(withSendSchema(config.db)),
    jobs: withDeliveryTask(config.jobs, {
      isAdmin,
      deliver: async ({ payload }) =>
        workingPartsOf(payload)?.delivery.runUntilIdle({
          deadline: new Date(Date.now() + taskSeconds * 1000),
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
} satisfies Feature

/** Whether `next build` runs: it opens Payload too, but must not deliver. */
const isBuild = () => process.env.NEXT_PHASE === 'phase-production-build'
