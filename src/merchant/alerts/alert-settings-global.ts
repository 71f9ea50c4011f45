import type { GlobalConfig } from 'payload'
import type { CachedReading } from '../../core/database/cached-reading.js'
import type { StoreConfig } from '../../core/feature.js'
import { adminEndpoint } from '../../core/payload/admin-endpoint.js'
import { settingsGlobal } from '../../core/payload/settings-table.js'
import type { OrderStatuses } from '../../shop/orders/order-choices.js'
import type { AlertSettings, AlertSettingsPage, StoredAlertSettings } from './alert-settings.js'
import type { Alerts } from './alerts.js'

interface Built {
  alertSettings: CachedReading<AlertSettings>
  alerts: Alerts
}

/** The global of the merchant's alert settings. The store's presets are its defaults. */
export const alertSettingsGlobal = (
  page: AlertSettingsPage,
  presets: StoredAlertSettings,
  { statusesIn, partsOf, workingPartsOf, ...access }: StoreConfig<object, Built> & OrderStatuses,
): GlobalConfig => ({
  ...settingsGlobal(
    page,
    {
      presets,
      parts: { statusesIn },
      settingsOf: async (payload) => (await workingPartsOf(payload))?.alertSettings,
    },
    access,
  ),
  endpoints: [
    adminEndpoint(access, {
      method: 'post',
      path: '/send-test',
      answer: async ({ payload }) => {
        const { alertSettings, alerts } = await partsOf(payload)
        // Another process may have changed the settings just now.
        alertSettings.forget()
        return Response.json(await alerts.sendTest())
      },
    }),
  ],
})
