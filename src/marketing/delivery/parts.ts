import type { AccountProfilesParts } from '../accounts/parts.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { Shop } from '../../core/shop.js'
import { featureMatters } from '../../core/matter.js'
import { createDeliveryFacts, readLastSentAt } from './delivery-facts.js'
import { deliveryMatters } from './matters.js'
import { modeProblem } from '../../core/workers/delivery-mode.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import { createDeliveryStore } from './delivery-store.js'
import { createFailures } from './failures.js'
import { createOutbox } from './outbox.js'
import { createKlaviyoSessions } from './klaviyo-sessions.js'
import { createPruning } from './pruning.js'
import { sendTable } from './send-table.js'
import { createSendWaits } from './send-waits.js'
import { defineParts } from '../../core/feature.js'

export type DeliveryParts = ReturnType<typeof build>

function build(
  shop: Shop,
  {
    klaviyo,
    marketingSettings,
    customerConsents,
    leases,
    delivery,
    deliveryMode: mode,
  }: WorkerParts & AccountProfilesParts & KlaviyoParts & MarketingSettingsParts,
) {
  const { database } = shop
  const settings = marketingSettings.get
  const deliveryStore = createDeliveryStore(shop)
  const klaviyoSessions = createKlaviyoSessions(shop, {
    store: deliveryStore,
    leases,
    klaviyo,
    settings,
    accountConsents: customerConsents?.find ?? (() => Promise.resolve(new Map())),
  })
  const sends = sendTable(database)
  const deliveryStatus = async () => ({
    ...(await klaviyoSessions.status()),
    mode,
    modeProblem: modeProblem(mode),
  })
  return {
    klaviyoSessions,
    deliveryStore,
    deliveryStatus,
    /** When something last reached Klaviyo. */
    lastSentAt: () => readLastSentAt(sends),
    deliveryFacts: createDeliveryFacts(shop, { sends, settings, deliveryStatus }),
    outbox: createOutbox(database, () => delivery.wake()),
    sends,
    sendWaits: createSendWaits(shop, { sends, klaviyoSessions, mode }),
    failures: createFailures(shop, { sends, wake: () => delivery.wake() }),
    pruning: createPruning(shop, { store: deliveryStore, settings }),
  }
}

export const deliveryParts = defineParts({
  build,
  matters: (_shop: Shop, { deliveryFacts }: DeliveryParts) =>
    featureMatters(deliveryMatters, (once) => once(deliveryFacts)),
  workers: (_shop: Shop, { pruning }: DeliveryParts) => [pruning],
  openSession: (_shop: Shop, { klaviyoSessions }: DeliveryParts) => klaviyoSessions.open,
})
