export { MarketingSettingsNotice } from './marketing-settings-notice.js'
export { ShippingSettingsNotice } from './shipping-settings-notice.js'
