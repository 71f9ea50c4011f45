export { MarketingSettingsNotice } from './marketing-settings-notice.js'
export { OverviewLink } from './overview/overview-link.js'
export { OverviewView } from './overview/overview-view.js'
export { ShippingSettingsNotice } from './shipping-settings-notice.js'
