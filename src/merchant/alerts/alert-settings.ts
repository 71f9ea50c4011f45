import type { PayloadRequest, TextField } from 'payload'
import * as z from 'zod/mini'
import { parseUrl } from '../../core/http/parse-url.js'
import { readEmail } from '../../core/people/email.js'
import { resolveText, variableName } from '../../core/payload/environment-reference.js'
import { label } from '../../core/payload/label.js'
import { settingText } from '../../core/payload/setting-choice.js'
import {
  checkboxSetting,
  chosen,
  countSetting,
  secretSetting,
  textSetting,
  textsSetting,
} from '../../core/payload/setting-kinds.js'
import {
  settingsSchema,
  type Setting,
  type SettingsTable,
  type SettingValues,
  type StoredSettings,
} from '../../core/payload/settings-table.js'
import type { OrderStatuses } from '../../shop/orders/order-choices.js'

type ManyTexts = Extract<TextField, { hasMany: true }>

const recipientsField = (field: ManyTexts): TextField => ({
  ...field,
  validate: (value: unknown, { req }: { req: PayloadRequest }) =>
    [value ?? []].flat().every((email) => readEmail(String(email)) !== undefined) ||
    label('recipientsInvalid')(req),
})

const paidStatusesView = { description: 'paidStatusesDescription' } as const

/** The statuses of an order that is paid and to be shipped, chosen from the store's own. */
const paidStatusesSetting: Setting<readonly string[], OrderStatuses> = {
  ...textsSetting(paidStatusesView),
  // What the overview tells a merchant to type in ShipStation.
  schema: z._default(z.array(z.string().check(z.trim(), z.minLength(1))).check(z.minLength(1)), [
    'processing',
  ]),
  field: (about) => {
    const { statusesIn } = about.parts
    const problemOf = (given: unknown, { payload }: PayloadRequest) => {
      const statuses = [given ?? []].flat()
      const known = statusesIn(payload).map(({ value }) => value)
      if (statuses.length === 0) return 'paidStatusesNeeded'
      // A status that is no dropdown may be any text.
      const isKnown = (status: unknown) => known.includes(settingText(status))
      return known.length === 0 || statuses.every(isKnown) ? undefined : 'statusUnknown'
    }
    const shownAs = (field: ManyTexts): TextField =>
      chosen(
        {
          ...field,
          validate: (value: unknown, { req }: { req: PayloadRequest }) => {
            const problem = problemOf(value, req)
            return problem === undefined || label(problem)(req)
          },
        },
        statusesIn,
      )
    return textsSetting({ ...paidStatusesView, shownAs }).field(about)
  },
  // A merchant could once clear this list. Without a status no alert could begin, so the presets count
  // then.
  read(stored, presets) {
    const statuses = textsSetting(paidStatusesView).read(stored, presets)
    return statuses.length > 0 ? statuses : presets
  },
}

/** A year: nobody waits longer. */
const mostHours = 8_784

const watched = 'alertsWatched'
const webhook = 'alertsWebhook'

/** What a merchant sets for alerts. */
export const alertSettingTable = {
  /** Who gets alerts by email. */
  recipients: textsSetting({
    description: 'recipientsDescription',
    shownAs: recipientsField,
    below: {
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
    section: webhook,
    validate: (value, { req }) => mayBeWebhook(value) || label('webhookUrlInvalid')(req),
  }),
  /** Signs what is posted, or `$NAME` or `${NAME}`. Blank: nothing is posted. */
  webhookSecret: secretSetting({ description: 'webhookSecretDescription', section: webhook }),
  /** The token of the health URL, or `$NAME` or `${NAME}`. Blank: there is no health URL. */
  healthToken: secretSetting({ description: 'healthTokenDescription', section: 'alertsHealth' }),
  /** The statuses of paid orders that are to be shipped. */
  paidStatuses: { ...paidStatusesSetting, section: watched },
  /** Whether to report that ShipStation asks for no orders while paid ones wait. */
  noPull: checkboxSetting(true, { section: watched }),
  /** How many hours without a pull are reported. */
  noPullHours: countSetting(12, { section: watched, isBeside: true, least: 1, most: mostHours }),
  /** Whether to report paid orders without a shipment. */
  unshipped: checkboxSetting(true, { section: watched }),
  /** How many hours a paid order may wait for its shipment. */
  unshippedHours: countSetting(72, { section: watched, isBeside: true, least: 1, most: mostHours }),
  /** On: these hours pass on Mondays to Fridays only, in the shop's time zone. */
  businessDays: checkboxSetting(false, {
    section: watched,
    description: 'businessDaysDescription',
  }),
  /** Whether to report that logins with ShipStation's username are refused. */
  credentialsRefused: checkboxSetting(true, { section: watched }),
  /** How many minutes without a pull make a refused login worth a report. */
  credentialsRefusedMinutes: countSetting(60, {
    section: watched,
    isBeside: true,
    least: 1,
    description: 'credentialsRefusedMinutesDescription',
  }),
  /** Whether to report a pull that stops half-way. */
  windowStopped: checkboxSetting(true, { section: watched }),
  /** How many minutes a pull may be silent before its last page. */
  windowStoppedMinutes: countSetting(30, { section: watched, isBeside: true, least: 1 }),
  /** Whether to report pulls that get no further than the first of several pages. */
  firstPageOnly: checkboxSetting(true, { section: watched }),
  /** Whether to report that pulls find nothing while paid orders wait outside of them. */
  nothingFound: checkboxSetting(true, { section: watched }),
  /** How many hours pulls may find nothing. */
  nothingFoundHours: countSetting(3, {
    section: watched,
    isBeside: true,
    least: 1,
    most: mostHours,
  }),
  /** Whether to report that ShipStation has shipped a cancelled or refunded order. */
  endedShipped: checkboxSetting(true, { section: watched }),
  /** Whether to report that sends wait for Klaviyo. */
  sendsWaiting: checkboxSetting(true, { section: watched }),
  /** How many minutes a send may wait. */
  sendsWaitingMinutes: countSetting(30, { section: watched, isBeside: true, least: 1 }),
  /** Whether to report failed sends. */
  sendsFailed: checkboxSetting(true, { section: watched }),
  /** Whether to report that Klaviyo refuses the key. */
  keyRefused: checkboxSetting(true, { section: watched }),
  /** Whether to report that Klaviyo ends, or has ended, the revision of its API that is used. */
  revisionEnds: checkboxSetting(true, { section: watched }),
  /** Whether to report orders that ShipStation does not get because they are incomplete. */
  ordersSkipped: checkboxSetting(true, { section: watched }),
} satisfies SettingsTable

/** The alert settings as a merchant wrote them. */
export type StoredAlertSettings = SettingValues<typeof alertSettingTable>

/** Validates the alert settings that a developer gives in code. */
export const alertSettingsSchema = settingsSchema(alertSettingTable)

/** Where alerts are posted, and the secret that signs them. */
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
    healthToken,
    unreadable = [],
    ...plain
  }: StoredSettings<typeof alertSettingTable>,
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
  const token = resolved(healthToken)
  problems.push(...unreadable.map(() => ({ is: 'unreadable' }) as const))
  if (url !== '' && !isWebhookUrl(url)) problems.push({ is: 'wrong-url' })
  else if (url !== '' && secret === '') problems.push({ is: 'no-secret' })
  const isReady = url !== '' && secret !== '' && isWebhookUrl(url)
  return {
    ...plain,
    healthToken: token,
    webhook: isReady ? { url, secret } : undefined,
    problems,
  }
}

export const alertSettingsPage = {
  slug: 'alert-settings',
  title: 'alerts',
  intro: 'alertSettingsIntro',
  notice: 'payload-storeconnect/rsc#AlertSettingsNotice',
  table: alertSettingTable,
  resolve: resolveAlertSettings,
} as const

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
