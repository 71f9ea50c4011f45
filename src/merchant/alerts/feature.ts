import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { orderStatuses } from '../../shipping/feature.js'
import { alertCollection } from './alert-collection.js'
import { alertOptions } from './alert-options.js'
import { alertSettingsGlobal } from './alert-settings-global.js'
import type { AlertParts, Options } from './parts.js'

/** The watchman: what is wrong, and who is told. */
export const alertsFeature = defineFeature({
  options: { alerts: alertOptions },
  collections: (store: StoreConfig<Options, AlertParts>) => [alertCollection(store)],
  globals: (store: StoreConfig<Options, AlertParts>) => [
    alertSettingsGlobal(store.options.alerts.settings, {
      ...store,
      ...orderStatuses(store.options),
    }),
  ],
  parts: async () => (await import('./parts.js')).alertsParts,
})
