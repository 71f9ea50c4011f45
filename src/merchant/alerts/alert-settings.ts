import type { PayloadRequest, TextField, GlobalConfig } from 'payload'
import { parseUrl } from '../../core/http/public-origin.js'
import { readEmail } from '../../core/people/email.js'
import { resolveText, variableName } from '../../core/payload/environment-reference.js'
import { label } from '../../core/payload/label.js'
import { settingText } from '../../core/payload/setting-choice.js'
import {
  checkboxSetting,
  countSetting,
  secretSetting,
  textSetting,
  textsSetting,
} from '../../core/payload/setting-kinds.js'
import { settingsOf, watchedSection } from '../../core/matter.js'
import {
  settingsSchema,
  type SettingsTable,
  type SettingValues,
  type StoredSettings,
  settingsGlobal,
} from '../../core/payload/settings-table.js'
import type { MatterRows, MatterSettings } from './conditions.js'
import type { CachedValue } from '../../core/database/cached-value.js'
import type { StoreConfig } from '../../core/feature.js'
import { adminEndpoint } from '../../core/payload/admin-endpoint.js'
import type { OrderStatuses } from '../../shop/orders/order-choices.js'

const recipientsField = (field: Extract<TextField, { hasMany: true }>): TextField => ({
  ...field,
  validate: (value: unknown, { req }: { req: PayloadRequest }) =>
    [value ?? []].flat().every((email) => readEmail(String(email)) !== undefined) ||
    label('recipientsInvalid')(req),
})

const webhookSection = 'alertsWebhook'

/** What a merchant sets for alerts, whatever they tell. */
const ownSettings = {
  /** Who gets alerts by email. */
  recipients: textsSetting({
    description: 'recipientsDescription',
    shownAs: recipientsField,
    fieldBelow: {
      name: 'alertTest',
      type: 'ui',
      admin: { components: { Field: 'payload-storeconnect/client#AlertTest' } },
    },
  }),
  /** On: one email a day about alerts that are still open. */
  digest: checkboxSetting(true, { description: 'digestDescription' }),
  /** The hour from which the day's email is sent, 0 to 23, in the shop's time zone. */
  digestHour: countSetting(8, {
    description: 'digestHourDescription',
    isBeside: true,
    most: 23,
  }),
  /** Where alerts are posted, or `$NAME` or `${NAME}`. Blank: nowhere. */
  webhookUrl: textSetting('', {
    description: 'webhookUrlDescription',
    section: webhookSection,
    validate: (value, { req }) => mayBeWebhook(value) || label('webhookUrlInvalid')(req),
  }),
  /** Signs what is posted, or `$NAME` or `${NAME}`. Blank: nothing is posted. */
  webhookSecret: secretSetting({
    description: 'webhookSecretDescription',
    section: webhookSection,
  }),
  /** The token of the health URL, or `$NAME` or `${NAME}`. Blank: there is no health URL. */
  healthToken: secretSetting({ description: 'healthTokenDescription', section: 'alertsHealth' }),
} satisfies SettingsTable

type AlertSettingTable = typeof ownSettings & MatterSettings

/** The settings of a product that is off are not in it. */
const alertSettingsTable = (rows: MatterRows) =>
  ({ ...ownSettings, ...settingsOf(rows) }) as AlertSettingTable

/** The alert settings as a merchant wrote them. */
export type StoredAlertSettings = SettingValues<AlertSettingTable>

export const alertSettingsSchema = (rows: MatterRows) => settingsSchema(alertSettingsTable(rows))

export interface Webhook {
  url: string
  secret: string
}

/** The alert settings with environment variables resolved. */
export interface AlertSettings extends Omit<
  StoredAlertSettings,
  'webhookUrl' | 'webhookSecret' | 'healthToken'
> {
  /** Undefined when none is set, or when it cannot be used. */
  webhook: Webhook | undefined
  /** Blank: there is no health URL. */
  healthToken: string
  /** Mistakes that keep alerts from being sent or the health URL from answering. */
  problems: AlertSettingProblem[]
}

export type AlertSettingProblem =
  { is: 'variable-missing'; name: string } | { is: 'unreadable' | 'no-secret' | 'wrong-url' }

/** Whether anybody is to learn of alerts. Otherwise nothing is read and nothing is sent. */
export const isWatched = ({ recipients, webhook, healthToken }: AlertSettings): boolean =>
  recipients.length > 0 || webhook !== undefined || healthToken !== ''

function resolveAlertSettings(
  {
    webhookUrl,
    webhookSecret,
    healthToken: token,
    unreadable = [],
    ...plain
  }: StoredSettings<AlertSettingTable>,
  environment: NodeJS.ProcessEnv,
): AlertSettings {
  const problems: AlertSettingProblem[] = []
  const resolved = (text: string): string => {
    const { value, missingVariable: name } = resolveText(text, environment)
    if (name !== undefined) problems.push({ is: 'variable-missing', name })
    return value.trim()
  }
  const url = resolved(webhookUrl)
  const secret = resolved(webhookSecret)
  const healthToken = resolved(token)
  problems.push(...unreadable.map(() => ({ is: 'unreadable' }) as const))
  const problem = !isWebhookUrl(url) ? 'wrong-url' : secret === '' ? 'no-secret' : undefined
  if (url !== '' && problem) problems.push({ is: problem })
  const webhook = url === '' || problem ? undefined : { url, secret }
  return { ...plain, healthToken, webhook, problems }
}

export const alertSettingsTab = { slug: 'alert-settings', title: 'alerts' } as const

export const alertSettingsPage = (rows: MatterRows) =>
  ({
    ...alertSettingsTab,
    intro: 'alertSettingsIntro',
    notice: 'payload-storeconnect/rsc#AlertSettingsNotice',
    table: alertSettingsTable(rows),
    tableSection: watchedSection,
    resolve: resolveAlertSettings,
  }) as const

export type AlertSettingsPage = ReturnType<typeof alertSettingsPage>

function mayBeWebhook(value: unknown): boolean {
  const text = settingText(value)
  return text === '' || variableName(text) !== undefined || isWebhookUrl(text)
}

/** An `https` URL without a username; in development also an `http` URL. */
function isWebhookUrl(text: string): boolean {
  const url = parseUrl(text)
  const isAllowed =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && process.env.NODE_ENV !== 'production')
  return isAllowed && url.username === '' && url.password === ''
}

interface Built {
  alertSettings: CachedValue<AlertSettings>
  alerts: { sendTest(): Promise<object> }
}

/** The global of the merchant's alert settings. The store's presets are its defaults. */
export const alertSettingsGlobal = (
  page: AlertSettingsPage,
  presets: StoredAlertSettings,
  { statusesIn, partsOf, workingPartsOf, ...access }: StoreConfig<object, Built> & OrderStatuses,
): GlobalConfig => ({
  ...settingsGlobal(
    page,
    {
      presets,
      parts: { statusesIn },
      settingsOf: async (payload) => (await workingPartsOf(payload))?.alertSettings,
    },
    access,
  ),
  endpoints: [
    adminEndpoint(access, {
      method: 'post',
      path: '/send-test',
      answer: async ({ payload }) => {
        const { alertSettings, alerts } = await partsOf(payload)
        // Another process may have changed the settings just now.
        alertSettings.forget()
        return Response.json(await alerts.sendTest())
      },
    }),
  ],
})
