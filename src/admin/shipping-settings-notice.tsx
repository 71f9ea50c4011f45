import { Banner } from '@payloadcms/ui'
import type { UIFieldServerProps } from 'payload'
import { missingVariables, resolveShippingSettings } from '../settings/shipping-settings.js'
import type { StoredShippingSettings } from '../settings/shipping-settings.js'
import { readStoredShippingSettings } from '../store/payload/stored-shipping-settings.js'
import { exportUrl } from './export-url.js'
import { translateBy } from './translate.js'

interface NoticeProps extends UIFieldServerProps {
  presets: () => StoredShippingSettings
}

/** On top of the shipping settings: the URL to paste, and what keeps the platform out. */
export async function ShippingSettingsNotice({ i18n, payload, req, presets }: NoticeProps) {
  const stored = await readStoredShippingSettings(payload, presets())
  const missing = missingVariables(stored, process.env)
  const { credentials } = resolveShippingSettings(stored, process.env)
  const translate = translateBy(i18n.t)
  const isClosed = credentials.username === '' || credentials.password === ''

  return (
    <div className="field-type">
      <p>
        {translate('urlToPaste')}
        <br />
        <code>{exportUrl(payload, req.headers)}</code>
      </p>
      {missing.length > 0 && (
        <Banner type="error">{translate('variablesMissing', { names: missing.join(', ') })}</Banner>
      )}
      {stored.isPasswordUnreadable && (
        <Banner type="error">{translate('passwordUnreadable')}</Banner>
      )}
      {isClosed && !stored.isPasswordUnreadable && (
        <Banner type="info">{translate('credentialsMissing')}</Banner>
      )}
    </div>
  )
}
