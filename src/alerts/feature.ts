import type { deliveryOptions } from '../delivery/delivery-options.js'
import type { DeliveryParts } from '../delivery/feature.js'
import type { Feature, StoreConfig } from '../feature.js'
import type { HttpParts } from '../http/feature.js'
import { createLoginThrottle } from '../http/login-throttle.js'
import type { MarketingSettingsParts } from '../marketing-settings/feature.js'
import type { OptionsOf } from '../options-schema.js'
import { readLastSentAt } from '../overview/read-overview.js'
import { choicesIn, type ShippingParts } from '../shipping/feature.js'
import type { Shop } from '../shop.js'
import { alertCollection, alertMessageCollection } from './alert-collections.js'
import { alertOptions } from './alert-options.js'
import { alertSettingsGlobal } from './alert-settings-global.js'
import { createAlertSettings } from './alert-settings.js'
import { createAlerts } from './alerts.js'
import { createHealth, healthPath, staleAfterMs } from './health-action.js'

interface Options {
  alerts: OptionsOf<typeof alertOptions>
  marketing: OptionsOf<typeof deliveryOptions>
}

export type AlertParts = ReturnType<typeof build>

type Needed = HttpParts & ShippingParts & MarketingSettingsParts & DeliveryParts

function build({ payload, options, log, clock }: Shop<Options>, parts: Needed) {
  const { shipStation, sends } = parts
  const alertSettings = createAlertSettings(payload, options.alerts.settings, {
    environment: process.env,
    now: () => clock.now(),
  })
  return {
    alertSettings,
    alerts: createAlerts({
      payload,
      sends,
      settings: () => alertSettings.get(),
      shippingSettings: parts.shippingSettings.get,
      marketingSettings: parts.marketingSettings.get,
      names: options,
      timezone: options.timezone,
      deliverer: parts.deliverer,
      lastPull: () => shipStation.lastPull(),
      lastDelivery: () => readLastSentAt(sends),
      shippingThrottle: parts.shippingThrottle,
      recheck: () => parts.recheckSkipped({ failuresOnly: true }),
      clock,
      log,
    }),
  }
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
  actions: (
    { options, log, clock }: Shop<Options>,
    { alertSettings, alerts, shipStation, sends, counts }: AlertParts & Needed,
  ) => ({
    [healthPath]: createHealth({
      settings: () => alertSettings.get(),
      state: () => alerts.state(),
      lastPullAt: async () => (await shipStation.lastPull())?.at,
      lastDeliveryAt: () => readLastSentAt(sends),
      staleAfterMs: staleAfterMs[options.marketing.delivery],
      throttle: createLoginThrottle('health', { counts, log, now: () => clock.now() }),
      now: () => clock.now(),
    }),
  }),
  // A task runs the workers in turn until its deadline, and the watchman must not wait for much work.
  workers: (_shop: Shop, { alerts }: AlertParts) => [alerts.watchman],
}
