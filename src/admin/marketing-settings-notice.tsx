import { Banner } from '@payloadcms/ui'
import type { UIFieldServerProps } from 'payload'
import { installedIn } from '../installation.js'
import {
  resolveMarketingSettings,
  type StoredMarketingSettings,
} from '../settings/marketing-settings.js'
import { variableName } from '../settings/environment-reference.js'
import { readStoredMarketingSettings } from '../store/payload/stored-marketing-settings.js'
import { translateBy } from './translate.js'

interface NoticeProps extends UIFieldServerProps {
  presets: () => StoredMarketingSettings
}

/** On top of the marketing settings: what keeps sends waiting. */
export async function MarketingSettingsNotice({ i18n, payload, presets }: NoticeProps) {
  const stored = await readStoredMarketingSettings(payload, presets())
  const { keyProblem } = resolveMarketingSettings(stored, process.env)
  const pauses = (await installedIn(payload)?.deliveryStatus())?.pauses ?? []
  const isRefused = pauses.some(({ reason }) => reason === 'misconfigured')
  const translate = translateBy(i18n.t)

  return (
    <div className="field-type">
      {keyProblem === 'variable-missing' && (
        <Banner type="error">
          {translate('variablesMissing', { names: variableName(stored.privateApiKey) ?? '' })}
        </Banner>
      )}
      {keyProblem === 'missing' && <Banner type="info">{translate('apiKeyMissing')}</Banner>}
      {keyProblem === 'unreadable' && <Banner type="error">{translate('apiKeyUnreadable')}</Banner>}
      {isRefused && <Banner type="error">{translate('deliveryPaused')}</Banner>}
    </div>
  )
}
