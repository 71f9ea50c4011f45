import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { orderStatuses } from '../../shop/orders/order-choices.js'
import { alertCollection } from './alert-collection.js'
import { alertOptions } from './alert-options.js'
import { alertSettingsPage, alertSettingsGlobal } from './alert-settings.js'
import { conditionsOf, type MatterRows } from './conditions.js'
import type { AlertParts, Options } from './parts.js'

/** The watchman: what is wrong, and who is told. `rows`: what may be wrong in the shop. */
export function createAlertsFeature(rows: MatterRows) {
  const conditions = conditionsOf(rows)
  const page = alertSettingsPage(rows)
  return defineFeature({
    options: { alerts: alertOptions(rows) },
    collections: (store: StoreConfig<Options, AlertParts>) => [alertCollection(store, conditions)],
    globals: (store: StoreConfig<Options, AlertParts>) => [
      alertSettingsGlobal(page, store.options.alerts.settings, {
        ...store,
        ...orderStatuses(store.options),
      }),
    ],
    parts: async () => (await import('./parts.js')).createAlertsParts(page, conditions),
  })
}
