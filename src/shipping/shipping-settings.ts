import type { Field } from 'payload'
import * as z from 'zod/mini'
import type { Credentials } from './shipping-access.js'
import {
  orderChoiceSetting,
  choiceProblem,
  type OrderChoices,
} from '../shop/orders/order-choices.js'
import { resolveText } from '../core/payload/environment-reference.js'
import { label, type TranslationKey } from '../core/payload/label.js'
import {
  checkboxSetting,
  credentialSetting,
  secretSetting,
  textSetting,
} from '../core/payload/setting-kinds.js'
import {
  settingsSchema,
  type Setting,
  type SettingsTable,
  type SettingValues,
  type StoredSettings,
} from '../core/payload/settings-table.js'

type SettingName = keyof StoredShippingSettings

/** The problems of settings that no form has checked: stored earlier, or set in the store's code. */
export function shippingSettingProblems(
  settings: Readonly<Record<string, unknown>>,
  choices: OrderChoices,
): { setting: SettingName; problem: TranslationKey }[] {
  const names = Object.keys(shippingSettingTable) as SettingName[]
  const named = names.flatMap((setting) => {
    const row = shippingSettingTable[setting]
    if (!('offers' in row)) return []
    const problem = choiceProblem(row, settings[setting], { settings, choices })
    return problem === undefined ? [] : [{ setting, problem }]
  })
  return isPageSizeValid(settings.pageSize)
    ? named
    : [...named, { setting: 'pageSize', problem: 'pageSizeInvalid' }]
}

/** For a setting that is no page size: `docs/interface.md` (Export), rule 5. */
const defaultPageSize = 25

const largestPageSize = 1000

const exported = 'exportSettings'

/** A text field, so that a wrong value stays visible and can be reported. */
const pageSizeSetting: Setting<number | string | null> = {
  ...textSetting('', {
    description: 'pageSizeDescription',
    section: exported,
    validate: (value, { req }) => isPageSizeValid(value) || label('pageSizeInvalid')(req),
  }),
  schema: z._default(z.union([z.number(), z.string(), z.null()]), defaultPageSize),
  read: (stored, preset) => String(stored ?? preset ?? ''),
}

const datesView = { description: 'readDatesAsUtcDescription', section: exported } as const

/** Where the shop is on UTC, it changes nothing, and the form leaves it out. */
const readDatesAsUtcSetting: Setting<boolean, { timezone: string }> = {
  ...checkboxSetting(false, datesView),
  field(about) {
    const { timeZone } = new Intl.DateTimeFormat('en', {
      timeZone: about.parts.timezone,
    }).resolvedOptions()
    const field = checkboxSetting(false, datesView).field(about)
    return { ...field, admin: { ...field.admin, hidden: timeZone === 'UTC' } } as Field
  },
}

const section = 'notificationFields'

const further = 'furtherFieldsOfOrders'

const furtherValue = {
  section: further,
  offers: 'values',
  unknown: 'orderFieldUnknown',
  mayBeBlank: true,
} as const

const entryText = { section, offers: 'entryTexts', unknown: 'entryFieldUnknown' } as const

export const shippingSettingTable = {
  /** HTTP Basic username that ShipStation sends, or `$NAME` or `${NAME}`. Blank refuses everybody. */
  username: credentialSetting({ description: 'credentialsDescription' }),
  /** HTTP Basic password, or `$NAME` or `${NAME}`. Blank refuses everybody. */
  password: secretSetting({ description: 'passwordDescription', isBeside: true }),
  /** Status that a shipped order moves to. */
  statusHandle: orderChoiceSetting('shipped', {
    description: 'statusHandleDescription',
    offers: 'statuses',
    unknown: 'statusUnknown',
  }),
  /** On: an order moves to that status when its last item is shipped, by what the notices name. */
  waitForAllItems: checkboxSetting(false, { description: 'waitForAllItemsDescription' }),
  /** On: the shop takes ShipStation's webhooks about parcels on their way. Off: their URL does not exist. */
  trackingUpdates: checkboxSetting(false, { description: 'trackingUpdatesDescription' }),
  /** Orders a page of the export. Not a number, below 1 or blank: 25. */
  pageSize: pageSizeSetting,
  /** Name of the orders' dropdown field that the `store` parameter is matched against. */
  storeField: orderChoiceSetting('', {
    description: 'storeFieldDescription',
    section: exported,
    offers: 'dropdowns',
    unknown: 'storeFieldUnknown',
    mayBeBlank: true,
  }),
  /** On: one order that fails validation fails the request. Off: it is skipped. */
  failOnInvalidOrder: checkboxSetting(false, {
    description: 'failOnInvalidOrderDescription',
    section: exported,
  }),
  /** On: date texts without an offset are read as UTC, as ShipStation sends them. */
  readDatesAsUtc: readDatesAsUtcSetting,
  /** Name of the array or blocks field that holds the tracking entry. */
  matrixField: orderChoiceSetting('tracking', {
    description: 'matrixFieldDescription',
    section,
    offers: 'entryLists',
    unknown: 'matrixFieldUnknown',
  }),
  /** For a blocks field: the slug of the block. Ignored for an array. */
  entryType: orderChoiceSetting('', {
    description: 'entryTypeDescription',
    section,
    isBeside: true,
    offers: 'entryTypes',
    unknown: 'entryTypeUnknown',
  }),
  /** Name of the entry's text field for the carrier. */
  carrierField: orderChoiceSetting('carrier', entryText),
  /** Name of the entry's text field for the service. */
  serviceField: orderChoiceSetting('service', { ...entryText, isBeside: true }),
  /** Name of the entry's text field for the tracking number. */
  trackingNumberField: orderChoiceSetting('trackingNumber', { ...entryText, isBeside: true }),
  /** On: the export has the fields of ShipStation's schema that the interface leaves out. */
  furtherFields: checkboxSetting(false, {
    description: 'furtherFieldsDescription',
    section: further,
  }),
  /** On: each item has its size too, which ShipStation's older schemas do not know. */
  dimensions: checkboxSetting(false, {
    description: 'dimensionsDescription',
    section: further,
    isBeside: true,
  }),
  /** Name of the orders' field whose value is CustomField1. */
  customField1: orderChoiceSetting('', furtherValue),
  /** Name of the orders' field whose value is CustomField2. */
  customField2: orderChoiceSetting('', { ...furtherValue, isBeside: true }),
  /** Name of the orders' field whose value is CustomField3. */
  customField3: orderChoiceSetting('', { ...furtherValue, isBeside: true }),
  /** Name of the orders' field whose value is RequestedWarehouse. */
  requestedWarehouse: orderChoiceSetting('', furtherValue),
  /** Name of the orders' field whose value is Source. */
  source: orderChoiceSetting('', { ...furtherValue, isBeside: true }),
} satisfies SettingsTable

/** The shipping settings as a merchant wrote them. Username and password may be `$NAME` or `${NAME}`. */
export type StoredShippingSettings = SettingValues<typeof shippingSettingTable>

/** What `shipping.settings` may give in code. */
export const shippingSettingsSchema = settingsSchema(shippingSettingTable)

/** The shipping settings ready for use: the page size is a positive whole number. */
export interface ShippingSettings extends Omit<StoredShippingSettings, 'password' | 'pageSize'> {
  /** With variables replaced by their values. `username` is as the merchant wrote it and may be shown. */
  credentials: Credentials
  /** Whether the password was saved with another PAYLOAD_SECRET. It is blank then. */
  isPasswordUnreadable: boolean
  pageSize: number
}

/** Replaces the variables in the credentials by their values, and an invalid page size by the default. */
export function resolveShippingSettings(
  { password, unreadable = [], ...stored }: StoredSettings<typeof shippingSettingTable>,
  environment: NodeJS.ProcessEnv,
): ShippingSettings {
  const read = (text: string) => resolveText(text, environment).value
  return {
    ...stored,
    isPasswordUnreadable: unreadable.includes('password'),
    credentials: { username: read(stored.username), password: read(password) },
    pageSize: readPageSize(stored.pageSize),
  }
}

export const shippingSettingsSlug = 'shipping-settings'

export const shippingSettingsPage = {
  slug: shippingSettingsSlug,
  isInMenu: true,
  title: 'shippingSettings',
  intro: 'settingsIntro',
  notice: 'payload-storeconnect/rsc#ShippingSettingsNotice',
  table: shippingSettingTable,
  resolve: resolveShippingSettings,
} as const

export function missingVariables(
  { username, password }: Pick<StoredShippingSettings, 'username' | 'password'>,
  environment: NodeJS.ProcessEnv,
): string[] {
  const missing = [username, password].flatMap(
    (text) => resolveText(text, environment).missingVariable ?? [],
  )
  return [...new Set(missing)]
}

/** Whether a merchant may save this page size: blank for 25, or a whole number from 1 to 1000. */
function isPageSizeValid(stored: unknown): boolean {
  const text = String(stored ?? '').trim()
  const size = Number(text)
  return text === '' || (/^\d+$/.test(text) && size >= 1 && size <= largestPageSize)
}

function readPageSize(stored: StoredShippingSettings['pageSize']): number {
  const size = typeof stored === 'string' && stored.trim() === '' ? NaN : Number(stored ?? NaN)
  return Number.isFinite(size) && size >= 1 ? Math.floor(size) : defaultPageSize
}
