import type { deliveryOptions } from '../delivery/delivery-options.js'
import type { Feature, StoreConfig } from '../feature.js'
import type { HttpParts } from '../http/feature.js'
import type { OptionsOf } from '../options-schema.js'
import { choicesIn } from '../shipping/feature.js'
import type { Shop } from '../shop.js'
import { alertCollection, alertMessageCollection } from './alert-collections.js'
import { alertOptions } from './alert-options.js'
import { alertSettingsGlobal } from './alert-settings-global.js'
import { createAlertSettings } from './alert-settings.js'
import { createAlerts } from './alerts.js'
import type { Watched } from './read-conditions.js'
import { createHealth, healthPath } from './health-action.js'

interface Options {
  alerts: OptionsOf<typeof alertOptions>
  marketing: OptionsOf<typeof deliveryOptions>
}

export type AlertParts = ReturnType<typeof build>

type Needed = HttpParts & Watched

function build(shop: Shop<Options>, watched: Needed) {
  const alertSettings = createAlertSettings(shop.payload, shop.options.alerts.settings, {
    environment: process.env,
    now: shop.effects.now,
  })
  const alerts = createAlerts(shop, { watched, settings: () => alertSettings.get() })
  return { alertSettings, alerts }
}

/** The watchman: what is wrong, and who is told. */
export const alertsFeature: Feature = {
  options: { alerts: alertOptions },
  collections: ({ isAdmin }: StoreConfig) => [alertCollection(isAdmin), alertMessageCollection()],
  globals: (store: StoreConfig<Options, AlertParts>) => {
    const { options, workingPartsOf } = store
    const statuses = choicesIn(options)
    return [
      alertSettingsGlobal(options.alerts.settings, {
        ...store,
        forget: (payload) => workingPartsOf(payload)?.alertSettings.forget(),
        statusesIn: (payload) => statuses(payload).statuses,
      }),
    ]
  },
  build,
  actions: (shop: Shop<Options>, parts: AlertParts & Needed) => ({
    [healthPath]: createHealth(shop, parts),
  }),
  // A task runs the workers in turn until its deadline, and the watchman must not wait for much work.
  workers: (_shop: Shop, { alerts }: AlertParts) => [alerts.watchman],
}
