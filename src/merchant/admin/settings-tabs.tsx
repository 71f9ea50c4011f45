import type { UIFieldServerProps } from 'payload'
import { alertSettingsPage } from '../alerts/alert-settings.js'
import { marketingSettingsPage } from '../../marketing/settings/marketing-settings.js'
import { shippingSettingsPage } from '../../shipping/shipping-settings.js'
import { adminUrl } from './admin-urls.js'
import { PageTabs } from './page-tabs.js'
import { createWords } from './words.js'

/** Links between the pages of settings. Each is saved by itself. */
export function SettingsTabs({ current, i18n, payload }: UIFieldServerProps & { current: string }) {
  const { translate } = createWords(i18n)
  const tabs = [shippingSettingsPage, marketingSettingsPage, alertSettingsPage].map(
    ({ slug, title }) => ({
      text: translate(title),
      url: adminUrl(payload.config, `/globals/${slug}`),
      isCurrent: slug === current,
    }),
  )
  return <PageTabs label={translate('settings')} tabs={tabs} />
}
