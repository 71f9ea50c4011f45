import type { BasePayload, Field, GlobalConfig, TextField, TextFieldValidation } from 'payload'
import { pageSizeIsFit, type StoredShippingSettings } from '../../settings/shipping-settings.js'
import { adminsOnly } from './admin-access.js'
import { findField } from './field-search.js'
import { adminGroup, label, type TranslationKey } from './label.js'
import {
  choiceProblem,
  chosenSettings,
  isDropdown,
  type ChosenSetting,
  type OrderChoices,
} from './order-choices.js'
import {
  checkboxSetting,
  chosen,
  secretSetting,
  textSetting,
  type SettingLabels,
  type SettingsParts,
} from './setting-fields.js'

export const shippingSettingsSlug = 'shipping-settings'

/** The merchant's shipping settings. Defaults are the store's presets. */
export function shippingSettingsGlobal(
  presets: StoredShippingSettings,
  { isAdmin, say, choicesIn }: SettingsParts & ChoiceParts,
): GlobalConfig {
  const text = (
    name: keyof StoredShippingSettings,
    about: SettingLabels & { validate?: TextFieldValidation },
  ): TextField => textSetting(name, String(presets[name] ?? ''), about)
  const checkbox = (
    name: 'failOnInvalidOrder' | 'readDatesAsUtc',
    description: TranslationKey,
  ): Field => checkboxSetting(name, presets[name], { label: name, description })
  const choice = (name: ChosenSetting, description?: TranslationKey): TextField =>
    chosen(
      text(name, {
        label: name,
        ...(description && { description }),
        validate: (_value, { data, req }) => {
          const problem = choiceProblem(name, data, choicesIn(req.payload))
          return problem === undefined || label(problem)(req)
        },
      }),
      (payload) => choicesIn(payload)[name],
    )

  return {
    slug: shippingSettingsSlug,
    label: label('shippingSettings'),
    lockDocuments: false,
    admin: { group: adminGroup, description: say('settingsIntro') },
    access: { read: adminsOnly(isAdmin), update: adminsOnly(isAdmin) },
    fields: [
      {
        name: 'notice',
        type: 'ui',
        admin: {
          components: {
            Field: {
              path: 'payload-storeconnect/rsc#ShippingSettingsNotice',
              // Not as they are: in development, React sends properties on to the browser.
              serverProps: { presets: () => presets, choicesIn },
            },
          },
        },
      },
      {
        type: 'row',
        fields: [
          text('username', { label: 'username', description: 'credentialsDescription' }),
          secretSetting(shippingSettingsSlug, {
            name: 'password',
            preset: presets.password,
            label: 'password',
            description: 'passwordDescription',
          }),
        ],
      },
      text('pageSize', {
        label: 'pageSize',
        description: 'pageSizeDescription',
        validate: (value, { req }) => pageSizeIsFit(value) || label('pageSizeInvalid')(req),
      }),
      choice('storeField', 'storeFieldDescription'),
      checkbox('failOnInvalidOrder', 'failOnInvalidOrderDescription'),
      checkbox('readDatesAsUtc', 'readDatesAsUtcDescription'),
      choice('statusHandle', 'statusHandleDescription'),
      {
        type: 'collapsible',
        label: label('notificationFields'),
        fields: [
          {
            type: 'row',
            fields: [
              choice('matrixField', 'matrixFieldDescription'),
              choice('entryType', 'entryTypeDescription'),
            ],
          },
          {
            type: 'row',
            fields: [choice('carrierField'), choice('serviceField'), choice('trackingNumberField')],
          },
        ],
      },
    ],
  }
}

interface ChoiceParts {
  /** What the settings can name of the orders. */
  choicesIn: (payload: BasePayload) => OrderChoices
}

/** What is wrong with settings that were stored before, or come from the store's code. */
export function shippingSettingProblems(
  settings: Readonly<Record<string, unknown>>,
  choices: OrderChoices,
): { setting: ChosenSetting | 'pageSize'; problem: TranslationKey }[] {
  const named = chosenSettings.flatMap((setting) => {
    const problem = choiceProblem(setting, settings, choices)
    return problem === undefined ? [] : [{ setting, problem }]
  })
  return pageSizeIsFit(settings.pageSize)
    ? named
    : [...named, { setting: 'pageSize', problem: 'pageSizeInvalid' }]
}

/** Whether the orders have a dropdown of one choice by this name. */
export const hasStoreField = (orderFields: readonly Field[], name: string): boolean =>
  isDropdown(findField(orderFields, name))
