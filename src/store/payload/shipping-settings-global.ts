import type {
  Field,
  FieldHook,
  GlobalConfig,
  PayloadRequest,
  SelectField,
  TextField,
  TextFieldValidation,
} from 'payload'
import { en } from '../../translations/en.js'
import { variableName } from '../../settings/environment-reference.js'
import type { StoredShippingSettings } from '../../settings/shipping-settings.js'
import { adminsOnly, type IsAdmin } from './admin-access.js'
import { findField } from './field-search.js'
import { adminGroup, label, type TranslationKey } from './label.js'
import { encryptedPrefix } from './secret-text.js'

export const shippingSettingsSlug = 'shipping-settings'

/** What the admin's form shows in place of a password. */
export const passwordMask = '••••••••'

/** The merchant's shipping settings. Defaults are the store's presets. */
export function shippingSettingsGlobal(
  presets: StoredShippingSettings,
  orderFields: readonly Field[],
  isAdmin: IsAdmin,
): GlobalConfig {
  const text = (
    name: keyof StoredShippingSettings,
    about: { label: TranslationKey; description?: TranslationKey; validate?: TextFieldValidation },
  ): TextField => ({
    name,
    type: 'text',
    label: label(about.label),
    defaultValue: String(presets[name] ?? ''),
    hooks: { beforeChange: [blankIfCleared] },
    ...(about.validate && { validate: about.validate }),
    ...(about.description && { admin: { description: label(about.description) } }),
  })
  const checkbox = (
    name: 'failOnInvalidOrder' | 'readDatesAsUtc',
    description: TranslationKey,
  ): Field => ({
    name,
    type: 'checkbox',
    label: label(name),
    defaultValue: presets[name],
    admin: { description: label(description) },
  })

  return {
    slug: shippingSettingsSlug,
    label: label('shippingSettings'),
    lockDocuments: false,
    // Payload calls the description of a collection, but not of a global.
    admin: { group: adminGroup, description: { en: en.settingsIntro } },
    access: { read: adminsOnly(isAdmin), update: adminsOnly(isAdmin) },
    fields: [
      {
        name: 'notice',
        type: 'ui',
        admin: {
          components: {
            Field: {
              path: 'payload-storeconnect/rsc#ShippingSettingsNotice',
              serverProps: { presets },
            },
          },
        },
      },
      {
        type: 'row',
        fields: [
          text('username', { label: 'username', description: 'credentialsDescription' }),
          passwordField(presets.password),
        ],
      },
      text('pageSize', { label: 'pageSize', description: 'pageSizeDescription' }),
      text('storeField', {
        label: 'storeField',
        description: 'storeFieldDescription',
        validate: (value, { req }) =>
          !value ||
          variableName(value) !== undefined ||
          hasStoreField(orderFields, value.trim()) ||
          label('storeFieldUnknown')(req),
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

interface HookArguments {
  value?: unknown
  req: PayloadRequest
}

// What was never saved is null in the database and means the preset; what was cleared is blank.
const blankIfCleared: FieldHook = ({ value }: { value?: unknown }) => (value === null ? '' : value)

/**
 * Kept encrypted with the store's secret, unless it names an environment variable, and sent to the
 * browser as dots alone. The dots coming back mean "as it was".
 */
function passwordField(preset: string): TextField {
  const mask: FieldHook = ({ value }: HookArguments) =>
    typeof value === 'string' && value !== '' && variableName(value) === undefined
      ? passwordMask
      : value

  const keepOrEncrypt: FieldHook = async ({ value, req }: HookArguments) => {
    const text = typeof value === 'string' ? value : ''
    // Dots mean "as it was", and so does nothing where nothing was saved: the preset stays in force.
    if (text === passwordMask || value === null || value === undefined) {
      const stored: Record<string, unknown> = await req.payload.db.findGlobal({
        slug: shippingSettingsSlug,
        req,
      })
      const kept = stored.password ?? null
      return text === passwordMask || kept === null ? kept : ''
    }
    const isPlain = text === '' || variableName(text) !== undefined
    return isPlain ? text : encryptedPrefix + req.payload.encrypt(text)
  }

  return {
    name: 'password',
    type: 'text',
    label: label('password'),
    defaultValue: preset === '' || variableName(preset) !== undefined ? preset : passwordMask,
    admin: { description: label('passwordDescription'), autoComplete: 'off' },
    hooks: { afterRead: [mask], beforeChange: [keepOrEncrypt] },
  }
}
