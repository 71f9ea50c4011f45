import type { BasePayload, UIFieldServerProps } from 'payload'
import { installedIn } from '../../core/installation.js'
import { resolveText } from '../../core/payload/environment-reference.js'
import { readSettings } from '../../core/payload/settings-table.js'
import type { PauseReason } from '../../marketing/delivery/call-log.js'
import {
  marketingSettingsPage,
  type StoredMarketingSettings,
} from '../../marketing/settings/marketing-settings.js'
import {
  missingVariables,
  shippingSettingProblems,
  shippingSettingsPage,
  type StoredShippingSettings,
} from '../../shipping/shipping-settings.js'
import type { OrderChoices } from '../../shop/orders/order-choices.js'
import {
  alertSettingsPage,
  isWatched,
  type AlertSettingProblem,
  type StoredAlertSettings,
} from '../alerts/alert-settings.js'
import { healthPath } from '../alerts/health-action.js'
import { actionUrl, exportUrl } from './admin-urls.js'
import { CopyButton } from './buttons.js'
import { ExportTest } from './export-test.js'
import { Notice } from './notice.js'
import { RenewedWhenSaved } from './page-refresh.js'
import { createWords, type Words } from './words.js'

/** What a notice on top of a page of settings gets; `presets` are those that the store's code has. */
type NoticeProps<Stored> = UIFieldServerProps & { presets: () => Stored }

/** The notice on top of the shipping settings: the URL to paste, and mistakes in the settings. */
export async function ShippingSettingsNotice({
  i18n,
  payload,
  req,
  presets,
  choicesIn,
}: NoticeProps<StoredShippingSettings> & { choicesIn: (payload: BasePayload) => OrderChoices }) {
  const stored = await readSettings({ payload }, shippingSettingsPage, presets())
  const problems = shippingSettingProblems({ ...stored }, choicesIn(payload))
  const { credentials, isPasswordUnreadable } = shippingSettingsPage.resolve(stored, process.env)
  const { translate } = createWords(i18n)
  const url = exportUrl(payload, req.headers)
  const isClosed = credentials.username === '' || credentials.password === ''

  return (
    <RenewedWhenSaved>
      <LabelledUrl label={translate('urlToPaste')} url={url} />
      <ExportTest url={url} />
      <MissingVariables names={missingVariables(stored, process.env)} translate={translate} />
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
    </RenewedWhenSaved>
  )
}

/** The notice on top of the marketing settings: why sends wait. */
export async function MarketingSettingsNotice({
  i18n,
  payload,
  presets,
}: NoticeProps<StoredMarketingSettings>) {
  const stored = await readSettings({ payload }, marketingSettingsPage, presets())
  const { keyProblem } = marketingSettingsPage.resolve(stored, process.env)
  const pauses = (await (await installedIn(payload))?.deliveryStatus?.())?.pauses ?? []
  const isPaused = (why: PauseReason) => pauses.some(({ reason }) => reason === why)
  const missing = [stored.privateApiKey, stored.publicApiKey].flatMap(
    (key) => resolveText(key, process.env).missingVariable ?? [],
  )
  const { translate } = createWords(i18n)

  return (
    <RenewedWhenSaved>
      <MissingVariables names={missing} translate={translate} />
      {keyProblem === 'missing' && <Notice type="info">{translate('apiKeyMissing')}</Notice>}
      {keyProblem === 'unreadable' && <Notice type="error">{translate('apiKeyUnreadable')}</Notice>}
      {(isPaused('misconfigured') || isPaused('scope')) && (
        <Notice type="error">{translate('deliveryPaused')}</Notice>
      )}
      {isPaused('retired') && (
        <Notice type="error">
          {translate('alertRevisionRefused')} {translate('alertRevisionEndsAdvice')}
        </Notice>
      )}
    </RenewedWhenSaved>
  )
}

const alertProblems = {
  unreadable: 'alertSecretUnreadable',
  'no-secret': 'webhookSecretMissing',
  'wrong-url': 'webhookUrlInvalid',
} as const

/** The name of Payload's email adapter when the store has configured none. It only writes to the log. */
const noAdapter = 'console'

/** The notice on top of the alert settings: why alerts do not arrive, and the URL for monitors. */
export async function AlertSettingsNotice({
  i18n,
  payload,
  presets,
  req,
}: NoticeProps<StoredAlertSettings>) {
  // What alerts are about cannot keep them from arriving.
  const page = alertSettingsPage({})
  const settings = page.resolve(await readSettings({ payload }, page, presets()), process.env)
  const { translate } = createWords(i18n)
  const say = (problem: AlertSettingProblem) =>
    problem.is === 'variable-missing'
      ? translate('variablesMissing', { names: problem.name })
      : translate(alertProblems[problem.is])
  const problems = [...new Set(settings.problems.map(say))]

  return (
    <RenewedWhenSaved>
      {settings.healthToken !== '' && (
        <LabelledUrl
          label={translate('healthUrl')}
          url={actionUrl(payload, req.headers, healthPath)}
        />
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
    </RenewedWhenSaved>
  )
}

const LabelledUrl = ({ label, url }: { label: string; url: string }) => (
  <p>
    {label}
    <br />
    <code style={{ overflowWrap: 'anywhere' }}>{url}</code> <CopyButton name={label} text={url} />
  </p>
)

function MissingVariables({
  names,
  translate,
}: Pick<Words, 'translate'> & { names: readonly string[] }) {
  if (names.length === 0) return null
  return <Notice type="error">{translate('variablesMissing', { names: names.join(', ') })}</Notice>
}
