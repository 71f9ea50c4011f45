import type { HttpParts } from '../../core/http/parts.js'
import type { OptionsOf } from '../../core/options-schema.js'
import { createSettings } from '../../core/payload/settings-table.js'
import type { Shop } from '../../core/shop.js'
import type { alertOptions } from './alert-options.js'
import { alertSettingsPage } from './alert-settings.js'
import { createAlerts } from './alerts.js'
import type { Watched } from './read-conditions.js'
import { createHealth, healthPath } from './health-action.js'
import { defineParts } from '../../core/feature.js'

export interface Options {
  alerts: OptionsOf<typeof alertOptions>
}

export type AlertParts = ReturnType<typeof build>

type Needed = HttpParts & Watched

function build(shop: Shop<Options>, watched: Needed) {
  const alertSettings = createSettings(shop, alertSettingsPage, shop.options.alerts.settings)
  const alerts = createAlerts(shop, { watched, settings: () => alertSettings.get() })
  return { alertSettings, alerts }
}

export const alertsParts = defineParts({
  build,
  actions: (shop: Shop<Options>, parts: AlertParts & Needed) => ({
    [healthPath]: createHealth(shop, parts),
  }),
  // A task runs the workers in turn until its deadline, and the watchman must not wait for much work.
  workers: (_shop: Shop, { alerts }: AlertParts) => [alerts.watchman],
})
