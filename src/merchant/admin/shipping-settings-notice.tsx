import type { BasePayload, UIFieldServerProps } from 'payload'
import {
  missingVariables,
  shippingSettingsPage,
  type StoredShippingSettings,
  shippingSettingProblems,
} from '../../shipping/shipping-settings.js'
import { Notice } from './notice.js'
import type { OrderChoices } from '../../shop/orders/order-choices.js'
import { readSettings } from '../../core/payload/settings-table.js'
import { exportUrl } from './admin-urls.js'
import { RenewedWhenSaved } from './renewed-when-saved.js'
import { createWords } from './words.js'

interface NoticeProps extends UIFieldServerProps {
  presets: () => StoredShippingSettings
  choicesIn: (payload: BasePayload) => OrderChoices
}

/** The notice on top of the shipping settings: the URL to paste, and mistakes in the settings. */
export async function ShippingSettingsNotice(props: NoticeProps) {
  const { i18n, payload, req, presets, choicesIn } = props
  const stored = await readSettings({ payload }, shippingSettingsPage, presets())
  const problems = shippingSettingProblems({ ...stored }, choicesIn(payload))
  const missing = missingVariables(stored, process.env)
  const { credentials, isPasswordUnreadable } = shippingSettingsPage.resolve(stored, process.env)
  const { translate } = createWords(i18n)
  const isClosed = credentials.username === '' || credentials.password === ''

  return (
    <div className="field-type">
      <RenewedWhenSaved />
      <p>
        {translate('urlToPaste')}
        <br />
        <code style={{ overflowWrap: 'anywhere' }}>{exportUrl(payload, req.headers)}</code>
      </p>
      {missing.length > 0 && (
        <Notice type="error">{translate('variablesMissing', { names: missing.join(', ') })}</Notice>
      )}
      {isPasswordUnreadable && <Notice type="error">{translate('passwordUnreadable')}</Notice>}
      {isClosed && !isPasswordUnreadable && (
        <Notice type="info">{translate('credentialsMissing')}</Notice>
      )}
      {problems.length > 0 && (
        <Notice type="error">
          {translate('settingsWrong')}
          <ul>
            {problems.map(({ setting, problem }) => (
              <li key={setting}>
                {translate(setting)}: {translate(problem)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
