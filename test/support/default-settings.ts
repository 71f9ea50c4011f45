import {
  marketingSettingsSchema,
  type StoredMarketingSettings,
} from '../../src/marketing/settings/marketing-settings.js'
import {
  shippingSettingsSchema,
  type StoredShippingSettings,
} from '../../src/shipping/shipping-settings.js'

export const defaultShippingSettings: Readonly<StoredShippingSettings> =
  shippingSettingsSchema.parse(undefined)

export const defaultMarketingSettings: Readonly<StoredMarketingSettings> =
  marketingSettingsSchema.parse(undefined)
