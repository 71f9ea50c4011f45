export { ShippingSettingsNotice } from './shipping-settings-notice.js'
