import type { UIFieldServerProps } from 'payload'
import { Notice } from './notice.js'
import { healthPath } from '../alerts/health-action.js'
import {
  alertSettingsPage,
  isWatched,
  type AlertSettingProblem,
  type StoredAlertSettings,
} from '../alerts/alert-settings.js'
import { readSettings } from '../../core/payload/settings-table.js'
import { actionUrl } from './admin-urls.js'
import { RenewedWhenSaved } from './renewed-when-saved.js'
import { createWords } from './words.js'

interface NoticeProps extends UIFieldServerProps {
  presets: () => StoredAlertSettings
}

const texts = {
  unreadable: 'alertSecretUnreadable',
  'no-secret': 'webhookSecretMissing',
  'wrong-url': 'webhookUrlInvalid',
} as const

/** The name of Payload's email adapter when the store has configured none. It only writes to the log. */
const noAdapter = 'console'

/** The notice on top of the alert settings: why alerts do not arrive, and the URL for monitors. */
export async function AlertSettingsNotice({ i18n, payload, presets, req }: NoticeProps) {
  // What alerts are about cannot keep them from arriving.
  const page = alertSettingsPage({})
  const settings = page.resolve(await readSettings({ payload }, page, presets()), process.env)
  const { translate } = createWords(i18n)
  const say = (problem: AlertSettingProblem) =>
    problem.is === 'variable-missing'
      ? translate('variablesMissing', { names: problem.name })
      : translate(texts[problem.is])
  const problems = [...new Set(settings.problems.map(say))]

  return (
    <div className="field-type">
      <RenewedWhenSaved />
      {settings.healthToken !== '' && (
        <p>
          {translate('healthUrl')}
          <br />
          <code style={{ overflowWrap: 'anywhere' }}>
            {actionUrl(payload, req.headers, healthPath)}
          </code>
        </p>
      )}
      {problems.map((problem) => (
        <Notice key={problem} type="error">
          {problem}
        </Notice>
      ))}
      {settings.recipients.length > 0 && payload.email.name === noAdapter && (
        <Notice type="error">{translate('emailAdapterMissing')}</Notice>
      )}
      {!isWatched(settings) && problems.length === 0 && (
        <Notice type="info">{translate('alertsOff')}</Notice>
      )}
    </div>
  )
}
