import { Link } from '@payloadcms/ui'
import type { UIFieldServerProps } from 'payload'
import { alertSettingsTab } from '../alerts/alert-settings.js'
import { marketingSettingsPage } from '../../marketing/settings/marketing-settings.js'
import { shippingSettingsPage } from '../../shipping/shipping-settings.js'
import { adminUrl } from './admin-urls.js'
import { createWords } from './words.js'

interface PageTabsProps {
  /** What the pages are, for screen readers. */
  label: string
  tabs: readonly { text: string; url: string; isCurrent: boolean }[]
}

export const PageTabs = ({ label, tabs }: PageTabsProps) => (
  <nav aria-label={label}>
    <ul className="storeconnect-tabs">
      {tabs.map(({ text, url, isCurrent }) => (
        <li key={url}>
          <Link aria-current={isCurrent ? 'page' : undefined} href={url}>
            {text}
          </Link>
        </li>
      ))}
    </ul>
    <style href="storeconnect-tabs" precedence="medium">
      {tabStyle}
    </style>
  </nav>
)

const tabStyle = `
.storeconnect-tabs { display: flex; flex-wrap: wrap; gap: 0 1.5rem; list-style: none; margin: 0 0 1rem; padding: 0; border-bottom: 1px solid var(--theme-border-color, var(--color-border)); }
.storeconnect-tabs a { display: block; padding: 0.5rem 0; color: var(--theme-text, var(--color-text)); text-decoration: none; border-bottom: 2px solid transparent; }
.storeconnect-tabs a:hover { text-decoration: underline; }
.storeconnect-table .row { border-bottom: 1px solid var(--theme-border-color, var(--color-border)); padding-block: 0.5rem; }
.storeconnect-table .row .field-type { margin-bottom: 0; }
.storeconnect-tabs [aria-current] { border-bottom-color: currentcolor; font-weight: 600; }
`

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
