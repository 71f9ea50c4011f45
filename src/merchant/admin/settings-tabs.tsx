import type { UIFieldServerProps } from 'payload'
import { alertSettingsTab } from '../alerts/alert-settings.js'
import { marketingSettingsPage } from '../../marketing/settings/marketing-settings.js'
import { shippingSettingsPage } from '../../shipping/shipping-settings.js'
import { adminUrl } from './admin-urls.js'
import { PageTabs } from './page-tabs.js'
import { createWords } from './words.js'

/** Links between the pages of settings that the store has. Each is saved by itself. */
export function SettingsTabs({ current, i18n, payload }: UIFieldServerProps & { current: string }) {
  const { translate } = createWords(i18n)
  const isOn = (slug: string) => payload.globals.config.some((global) => global.slug === slug)
  const tabs = [shippingSettingsPage, marketingSettingsPage, alertSettingsTab]
    .filter(({ slug }) => isOn(slug))
    .map(({ slug, title }) => ({
      text: translate(title),
      url: adminUrl(payload.config, `/globals/${slug}`),
      isCurrent: slug === current,
    }))
  return <PageTabs label={translate('settings')} tabs={tabs} />
}
