import type { MarketingSettings } from '../settings/marketing-settings.js'
import type { ShippingSettings } from '../settings/shipping-settings.js'

/** The settings as they are now. */
export interface SettingsSource {
  /** Read for each request, so that a change is live at once. */
  shipping(): Promise<ShippingSettings>
  /** Read anew every few seconds: a post must not pay for a query. */
  marketing(): Promise<MarketingSettings>
  /** Has the marketing settings read anew at once, as they were changed in this process. */
  forgetMarketing(): void
}
