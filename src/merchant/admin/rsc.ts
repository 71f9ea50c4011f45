export {
  AlertSettingsNotice,
  MarketingSettingsNotice,
  ShippingSettingsNotice,
} from './settings-notices.js'
export {
  AmountInput,
  ChoiceField,
  ListField,
  ReasonCell,
  SecretField,
  StandingCell,
} from './server-fields.js'
export { ErasureListNotice, ErasureNotice } from './erasure-notices.js'
export { DashboardCard } from './overview/dashboard-card.js'
export { FailuresView } from './overview/failures-view.js'
export { SendView } from './send-view.js'
export { StateCell } from './state-cell.js'
export { OverviewView } from './overview/overview-view.js'
export { SettingsTabs } from './page-tabs.js'
