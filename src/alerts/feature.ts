import { defineFeature, type StoreConfig } from '../feature.js'
import type { HttpParts } from '../http/feature.js'
import type { OptionsOf } from '../options-schema.js'
import { createSettings } from '../payload/settings-table.js'
import { orderStatuses } from '../shipping/feature.js'
import type { Shop } from '../shop.js'
import { alertCollection, alertMessageCollection } from './alert-collections.js'
import { alertOptions } from './alert-options.js'
import { alertSettingsGlobal } from './alert-settings-global.js'
import { alertSettingsPage } from './alert-settings.js'
import { createAlerts } from './alerts.js'
import type { Watched } from './read-conditions.js'
import { createHealth, healthPath } from './health-action.js'

interface Options {
  alerts: OptionsOf<typeof alertOptions>
}

export type AlertParts = ReturnType<typeof build>

type Needed = HttpParts & Watched

function build(shop: Shop<Options>, watched: Needed) {
  const alertSettings = createSettings(shop, alertSettingsPage, shop.options.alerts.settings)
  const alerts = createAlerts(shop, { watched, settings: () => alertSettings.get() })
  return { alertSettings, alerts }
}

/** The watchman: what is wrong, and who is told. */
export const alertsFeature = defineFeature({
  options: { alerts: alertOptions },
  collections: (store: StoreConfig<Options, AlertParts>) => [
    alertCollection(store),
    alertMessageCollection(),
  ],
  globals: (store: StoreConfig<Options, AlertParts>) => [
    alertSettingsGlobal(store.options.alerts.settings, {
      ...store,
      ...orderStatuses(store.options),
    }),
  ],
  build,
  actions: (shop: Shop<Options>, parts: AlertParts & Needed) => ({
    [healthPath]: createHealth(shop, parts),
  }),
  // A task runs the workers in turn until its deadline, and the watchman must not wait for much work.
  workers: (_shop: Shop, { alerts }: AlertParts) => [alerts.watchman],
})
