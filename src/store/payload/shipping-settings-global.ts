import type { Field, GlobalConfig, SelectField, TextField, TextFieldValidation } from 'payload'
import type { StoredShippingSettings } from '../../settings/shipping-settings.js'
import { adminsOnly } from './admin-access.js'
import { findField } from './field-search.js'
import { adminGroup, label, type TranslationKey } from './label.js'
import {
  checkboxSetting,
  secretSetting,
  textSetting,
  type SettingLabels,
  type SettingsParts,
} from './setting-fields.js'

export const shippingSettingsSlug = 'shipping-settings'

/** The merchant's shipping settings. Defaults are the store's presets. */
export function shippingSettingsGlobal(
  presets: StoredShippingSettings,
  orderFields: readonly Field[],
  { isAdmin, say }: SettingsParts,
): GlobalConfig {
  const text = (
    name: keyof StoredShippingSettings,
    about: SettingLabels & { validate?: TextFieldValidation },
  ): TextField => textSetting(name, String(presets[name] ?? ''), about)
  const checkbox = (
    name: 'failOnInvalidOrder' | 'readDatesAsUtc',
    description: TranslationKey,
  ): Field => checkboxSetting(name, presets[name], { label: name, description })

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
              serverProps: { presets: () => presets },
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
      text('pageSize', { label: 'pageSize', description: 'pageSizeDescription' }),
      text('storeField', {
        label: 'storeField',
        description: 'storeFieldDescription',
        validate: (value, { req }) =>
          !value || hasStoreField(orderFields, value.trim()) || label('storeFieldUnknown')(req),
      }),
      checkbox('failOnInvalidOrder', 'failOnInvalidOrderDescription'),
      checkbox('readDatesAsUtc', 'readDatesAsUtcDescription'),
      text('statusHandle', { label: 'statusHandle', description: 'statusHandleDescription' }),
      {
        type: 'collapsible',
        label: label('notificationFields'),
        fields: [
          {
            type: 'row',
            fields: [
              text('matrixField', { label: 'matrixField', description: 'matrixFieldDescription' }),
              text('entryType', { label: 'entryType', description: 'entryTypeDescription' }),
            ],
          },
          {
            type: 'row',
            fields: [
              text('carrierField', { label: 'carrierField' }),
              text('serviceField', { label: 'serviceField' }),
              text('trackingNumberField', { label: 'trackingNumberField' }),
            ],
          },
        ],
      },
    ],
  }
}

/** Whether the orders have a dropdown of one choice by this name. */
export function hasStoreField(orderFields: readonly Field[], name: string): boolean {
  const field = findField(orderFields, name)
  const isDropdown = field?.type === 'select' || field?.type === 'radio'
  return isDropdown && (field as SelectField).hasMany !== true
}
