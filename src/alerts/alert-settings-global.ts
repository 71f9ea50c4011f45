import type { BasePayload, GlobalConfig } from 'payload'
import { adminEndpoint, type EndpointAccess } from '../payload/admin-endpoint.js'
import { settingsGlobal, type SettingsAccess } from '../payload/settings-table.js'
import {
  alertSettingsSlug,
  alertSettingTable,
  type PaidStatusParts,
  type StoredAlertSettings,
} from './alert-settings.js'
import type { Alerts } from './alerts.js'

interface AlertSettingsParts extends SettingsAccess, PaidStatusParts, EndpointAccess {
  partsOf: (payload: BasePayload) => { alerts: Pick<Alerts, 'sendTest'> }
  /** Drops the cached settings after a change. */
  forget: (payload: BasePayload) => void
}

/** The global of the merchant's alert settings. The store's presets are its defaults. */
export const alertSettingsGlobal = (
  presets: StoredAlertSettings,
  { statusesIn, partsOf, forget, ...access }: AlertSettingsParts,
): GlobalConfig => ({
  ...settingsGlobal(
    alertSettingTable,
    {
      slug: alertSettingsSlug,
      title: 'alertSettings',
      intro: 'alertSettingsIntro',
      notice: 'payload-storeconnect/rsc#AlertSettingsNotice',
      presets,
      parts: { statusesIn },
    },
    access,
  ),
  endpoints: [
    adminEndpoint(access, {
      method: 'post',
      path: '/send-test',
      answer: async ({ payload }) => {
        // Another process may have changed the settings just now.
        forget(payload)
        return Response.json(await partsOf(payload).alerts.sendTest())
      },
    }),
  ],
  hooks: {
    afterChange: [({ req }) => forget(req.payload)],
  },
})
