import type { UIFieldServerProps } from 'payload'
import { Notice } from './notice.js'
import type { PauseReason } from '../../marketing/delivery/call-log.js'
import { installedIn } from '../../core/installation.js'
import {
  marketingSettingsPage,
  type StoredMarketingSettings,
} from '../../marketing/settings/marketing-settings.js'
import { resolveText } from '../../core/payload/environment-reference.js'
import { readSettings } from '../../core/payload/settings-table.js'
import { RenewedWhenSaved } from './renewed-when-saved.js'
import { createWords } from './words.js'

interface NoticeProps extends UIFieldServerProps {
  presets: () => StoredMarketingSettings
}

/** The notice on top of the marketing settings: why sends wait. */
export async function MarketingSettingsNotice({ i18n, payload, presets }: NoticeProps) {
  const stored = await readSettings({ payload }, marketingSettingsPage, presets())
  const { keyProblem } = marketingSettingsPage.resolve(stored, process.env)
  const pauses = (await (await installedIn(payload))?.deliveryStatus?.())?.pauses ?? []
  const isPaused = (why: PauseReason) => pauses.some(({ reason }) => reason === why)
  const missing = [stored.privateApiKey, stored.publicApiKey].flatMap(
    (key) => resolveText(key, process.env).missingVariable ?? [],
  )
  const { translate } = createWords(i18n)

  return (
    <div className="field-type">
      <RenewedWhenSaved />
      {missing.length > 0 && (
        <Notice type="error">{translate('variablesMissing', { names: missing.join(', ') })}</Notice>
      )}
      {keyProblem === 'missing' && <Notice type="info">{translate('apiKeyMissing')}</Notice>}
      {keyProblem === 'unreadable' && <Notice type="error">{translate('apiKeyUnreadable')}</Notice>}
      {isPaused('misconfigured') && <Notice type="error">{translate('deliveryPaused')}</Notice>}
      {isPaused('retired') && (
        <Notice type="error">
          {translate('alertRevisionRefused')} {translate('alertRevisionEndsAdvice')}
        </Notice>
      )}
    </div>
  )
}
