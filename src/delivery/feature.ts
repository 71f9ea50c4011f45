import type { Config } from 'payload'
import { emailIsUnchanged } from '../accounts/verified-email.js'
import { createCustomerConsents } from '../consent/customer-consents.js'
import { defineFeature, type Contributions, type StoreConfig } from '../feature.js'
import type { HttpParts } from '../http/feature.js'
import type { KlaviyoParts } from '../klaviyo/feature.js'
import type { MarketingSettingsParts } from '../marketing-settings/feature.js'
import type { OptionsOf } from '../options-schema.js'
import type { Shop } from '../shop.js'
import { createDeliverer } from './deliverer.js'
import { createDeliveryLoop } from './delivery-loop.js'
import { deliveryMode, modeProblem } from './delivery-mode.js'
import { deliveryOptions } from './delivery-options.js'
import { createDeliveryStore } from './delivery-store.js'
import { closeJobStats, withDeliveryTask, withReadableJobStats } from './delivery-task.js'
import { createFailures } from './failures.js'
import { createLeases, leaseCollection } from './lease.js'
import { createNotifications } from './notifications.js'
import { createOutbox } from './outbox.js'
import { createPruning } from './pruning.js'
import { createRunAction, runPath } from './run-action.js'
import { sendCollection } from './send-collection.js'
import { sendTable, withSendSchema } from './send-table.js'

export type DeliveryParts = ReturnType<typeof build>

type Options = { marketing: OptionsOf<typeof deliveryOptions> }

function build(
  shop: Shop<Options>,
  { platform, marketingSettings }: KlaviyoParts & MarketingSettingsParts,
  all: Contributions,
) {
  const { database, customersSlug } = shop
  const settings = marketingSettings.get
  const customerConsents = createCustomerConsents(database, {
    customersSlug,
    emailIsUnchanged,
  })
  const deliveryStore = createDeliveryStore(shop)
  const leases = createLeases(shop)
  const deliverer = createDeliverer(shop, {
    store: deliveryStore,
    leases,
    platform,
    settings,
    accountConsents: customerConsents?.find ?? (() => Promise.resolve(new Map())),
  })
  const mode = deliveryMode(shop.options.marketing)
  const delivery = createDeliveryLoop(shop, {
    mode,
    deliverer,
    notifications: createNotifications(shop),
    workers: all.workers,
    flush: all.flush,
  })
  const sends = sendTable(database)
  return {
    customerConsents,
    deliverer,
    delivery,
    deliveryStore,
    leases,
    deliveryStatus: async () => ({
      ...(await deliverer.status()),
      mode,
      modeProblem: modeProblem(mode),
    }),
    outbox: createOutbox(database, () => delivery.wake()),
    sends,
    failures: createFailures(shop, { sends, wake: () => delivery.wake() }),
    pruning: createPruning(shop, { store: deliveryStore, settings }),
  }
}

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
    { isAdmin, workingPartsOf, effects, options }: StoreConfig<Options, DeliveryParts>,
  ): Config => ({
    ...config,
    db: withReadableJobStats(withSendSchema(config.db)),
    jobs: withDeliveryTask(config.jobs, {
      isAdmin,
      deliver: async ({ payload }) => {
        const deadline = deadlineOf({ effects, options })
        await workingPartsOf(payload)?.delivery.runUntilIdle({ deadline })
      },
    }),
    async onInit(payload) {
      closeJobStats(payload, isAdmin)
      await config.onInit?.(payload)
    },
  }),
  build,
  workers: (_shop: Shop, { pruning }: DeliveryParts) => [pruning],
  actions: (shop: Shop<Options>, { delivery, counts }: DeliveryParts & HttpParts) => ({
    [runPath]: createRunAction(shop, {
      run: () => delivery.runUntilIdle({ deadline: deadlineOf(shop) }),
      counts,
    }),
  }),
  answered: (_shop: Shop, { delivery }: DeliveryParts) => delivery.answered(),
  start({ options }: Shop<Options>, { delivery }: DeliveryParts) {
    if (deliveryMode(options.marketing) === 'loop' && !isBuild()) delivery.start()
  },
})

const deadlineOf = ({ effects, options }: Pick<Shop<Options>, 'effects' | 'options'>): Date =>
  new Date(effects.now().getTime() + options.marketing.runSeconds * 1000)

/** Whether `next build` runs: it opens Payload too, but must not deliver. */
const isBuild = () => process.env.NEXT_PHASE === 'phase-production-build'
