import type { CachedValue } from '../../core/database/cached-value.js'
import type { OptionsOf } from '../../core/options-schema.js'
import { createSettings } from '../../core/payload/settings-table.js'
import type { Shop } from '../../core/shop.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import type { alertOptions } from './alert-options.js'
import { featureMatters } from '../../core/matter.js'
import { isWatched, type AlertSettings, type AlertSettingsPage } from './alert-settings.js'
import { alertMatters } from './matters.js'
import { createAlerts, type Alerts } from './alerts.js'
import type { Conditions } from './conditions.js'
import { createReadMatters } from './open-matters.js'
import { createHealth, healthPath, type Watching } from './health-action.js'
import { defineParts, type Contributions } from '../../core/feature.js'

export interface Options {
  alerts: OptionsOf<ReturnType<typeof alertOptions>>
}

export interface AlertParts {
  alertSettings: CachedValue<AlertSettings>
  alerts: Alerts
}

export const createAlertsParts = (page: AlertSettingsPage, conditions: Conditions) =>
  defineParts({
    build(shop: Shop<Options>, { deliverer }: WorkerParts, all: Contributions): AlertParts {
      const alertSettings = createSettings(shop, page, shop.options.alerts.settings)
      const readMatters = createReadMatters(shop, all.matters)
      const settings = () => alertSettings.get()
      return {
        alertSettings,
        alerts: createAlerts(shop, { conditions, deliverer, readMatters, settings }),
      }
    },
    matters: (_shop: Shop, { alertSettings }: AlertParts) =>
      featureMatters(alertMatters, async () => ({
        isToldToSomebody: isWatched(await alertSettings.get()),
      })),
    actions: (shop: Shop<Options>, parts: Watching) => ({
      [healthPath]: createHealth(shop, parts),
    }),
    // A task runs the workers in turn until its deadline, and the watchman must not wait for much work.
    workers: (_shop: Shop, { alerts }: AlertParts) => [alerts.watchman],
  })
