import type { AccountProfilesParts } from '../accounts/parts.js'
import type { HttpParts } from '../../core/http/parts.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import { createDeliverer } from './deliverer.js'
import { featureMatters } from '../../core/matter.js'
import { createDeliveryFacts } from './delivery-facts.js'
import { deliveryMatters } from './matters.js'
import { createDeliveryLoop } from './delivery-loop.js'
import { deliveryMode, modeProblem, runsLoop } from './delivery-mode.js'
import type { deliveryOptions } from './delivery-options.js'
import { createDeliveryStore } from './delivery-store.js'
import { createFailures } from './failures.js'
import { createLeases } from './lease.js'
import { createNotifications } from './notifications.js'
import { createOutbox } from './outbox.js'
import { createPruning } from './pruning.js'
import { createRunAction, runPath } from './run-action.js'
import { sendTable } from './send-table.js'
import { defineParts, type Contributions } from '../../core/feature.js'

export type DeliveryParts = ReturnType<typeof build>

export type Options = { marketing: OptionsOf<typeof deliveryOptions> }

function build(
  shop: Shop<Options>,
  {
    klaviyo,
    marketingSettings,
    customerConsents,
  }: AccountProfilesParts & KlaviyoParts & MarketingSettingsParts,
  all: Contributions,
) {
  const { database } = shop
  const settings = marketingSettings.get
  const deliveryStore = createDeliveryStore(shop)
  const leases = createLeases(shop)
  const deliverer = createDeliverer(shop, {
    store: deliveryStore,
    leases,
    klaviyo,
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
  const deliveryStatus = async () => ({
    ...(await deliverer.status()),
    mode,
    modeProblem: modeProblem(mode),
  })
  return {
    deliverer,
    delivery,
    /** Delivers until nothing is left, or for as long as one call may take. */
    deliverForAWhile: () => {
      const { now } = shop.effects
      const deadline = new Date(now().getTime() + shop.options.marketing.runSeconds * 1000)
      return delivery.runUntilIdle({ deadline })
    },
    deliveryStore,
    leases,
    deliveryStatus,
    deliveryFacts: createDeliveryFacts(shop, { sends, settings, deliveryStatus }),
    outbox: createOutbox(database, () => delivery.wake()),
    sends,
    failures: createFailures(shop, { sends, wake: () => delivery.wake() }),
    pruning: createPruning(shop, { store: deliveryStore, settings }),
  }
}

export const deliveryParts = defineParts({
  build,
  matters: (_shop: Shop, { deliveryFacts }: DeliveryParts) =>
    featureMatters(deliveryMatters, deliveryFacts),
  workers: (_shop: Shop, { pruning }: DeliveryParts) => [pruning],
  actions: (shop: Shop<Options>, { deliverForAWhile, counts }: DeliveryParts & HttpParts) => ({
    [runPath]: createRunAction(shop, {
      run: deliverForAWhile,
      counts,
    }),
  }),
  answered: (_shop: Shop, { delivery }: DeliveryParts) => delivery.answered(),
  start({ options }: Shop<Options>, { delivery }: DeliveryParts) {
    if (runsLoop(options.marketing)) delivery.start()
  },
})
