import type { BasePayload, PayloadRequest } from 'payload'
import type {
  ReadShippingSettings,
  StoredShippingSettings,
} from '../../settings/shipping-settings.js'
import { readSecretText } from './secret-text.js'
import { shippingSettingsSlug } from './shipping-settings-global.js'

/** The settings as stored, variables not read. What was never saved is the store's preset. */
export async function readStoredShippingSettings(
  payload: BasePayload,
  presets: StoredShippingSettings,
  req?: PayloadRequest,
): Promise<ReadShippingSettings> {
  const stored: Record<string, unknown> = await payload.db.findGlobal({
    slug: shippingSettingsSlug,
    ...(req && { req }),
  })
  const value = (name: keyof StoredShippingSettings) => stored[name] ?? presets[name]
  const text = (name: keyof StoredShippingSettings) => String(value(name))
  const password = readSecretText(payload, text('password'))
  return {
    username: text('username'),
    password: password ?? '',
    isPasswordUnreadable: password === undefined,
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
