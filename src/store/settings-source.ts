import type { ShippingSettings } from '../settings/shipping-settings.js'

/** The settings as they are now. Read for each request, so that a change is live at once. */
export interface SettingsSource {
  shipping(): Promise<ShippingSettings>
}
