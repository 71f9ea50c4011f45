import type { HttpParts } from '../../core/http/parts.js'
import type { OptionsOf } from '../../core/options-schema.js'
import { createSettings } from '../../core/payload/settings-table.js'
import type { Shop } from '../../core/shop.js'
import type { alertOptions } from './alert-options.js'
import { featureMatters } from '../../core/matter.js'
import { alertSettingsPage, isWatched } from './alert-settings.js'
import { alertMatters } from './matters.js'
import { createAlerts } from './alerts.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import type { ShippingParts } from '../../shipping/parts.js'
import { createReadMatters } from './read-matters.js'
import { createHealth, healthPath } from './health-action.js'
import { defineParts, type Contributions } from '../../core/feature.js'

export interface Options {
  alerts: OptionsOf<typeof alertOptions>
}

export type AlertParts = ReturnType<typeof build>

type Needed = HttpParts & ShippingParts & DeliveryParts

function build(shop: Shop<Options>, { deliverer }: DeliveryParts, all: Contributions) {
  const alertSettings = createSettings(shop, alertSettingsPage, shop.options.alerts.settings)
  const readMatters = createReadMatters(shop, all.matters)
  const settings = () => alertSettings.get()
  const alerts = createAlerts(shop, { deliverer, readMatters, settings })
  return { alertSettings, alerts }
}

export const alertsParts = defineParts({
  build,
  matters: (_shop: Shop, { alertSettings }: AlertParts) =>
    featureMatters(alertMatters, async () => ({
      isToldToSomebody: isWatched(await alertSettings.get()),
    })),
  actions: (shop: Shop<Options>, parts: AlertParts & Needed) => ({
    [healthPath]: createHealth(shop, parts),
  }),
  // A task runs the workers in turn until its deadline, and the watchman must not wait for much work.
  workers: (_shop: Shop, { alerts }: AlertParts) => [alerts.watchman],
})
