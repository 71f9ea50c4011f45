import type { BasePayload } from 'payload'
import {
  resolveShippingSettings,
  type StoredShippingSettings,
} from '../../settings/shipping-settings.js'
import type { SettingsSource } from '../settings-source.js'
import { readSecretText } from './secret-text.js'
import { shippingSettingsSlug } from './settings-global.js'

/**
 * Reads the settings from the database for each request, so that a merchant's change is live at
 * once in every process. It goes below Payload's hooks, which would hide the password.
 */
export const createSettingsSource = (
  payload: BasePayload,
  presets: StoredShippingSettings,
  environment: NodeJS.ProcessEnv,
): SettingsSource => ({
  async shipping() {
    return resolveShippingSettings(await readStoredSettings(payload, presets), environment)
  },
})

/** The settings as stored, variables not read. What was never saved is the store's preset. */
export async function readStoredSettings(
  payload: BasePayload,
  presets: StoredShippingSettings,
): Promise<StoredShippingSettings> {
  const stored: Record<string, unknown> = await payload.db.findGlobal({
    slug: shippingSettingsSlug,
  })
  const value = (name: keyof StoredShippingSettings) => stored[name] ?? presets[name]
  const text = (name: keyof StoredShippingSettings) => String(value(name))
  return {
    username: text('username'),
    password: readSecretText(payload, text('password')),
    storeField: text('storeField'),
    pageSize: text('pageSize'),
    failOnInvalidOrder: Boolean(value('failOnInvalidOrder')),
    statusHandle: text('statusHandle'),
    matrixField: text('matrixField'),
    entryType: text('entryType'),
    carrierField: text('carrierField'),
    serviceField: text('serviceField'),
    trackingNumberField: text('trackingNumberField'),
    readDatesAsUtc: Boolean(value('readDatesAsUtc')),
  }
}
