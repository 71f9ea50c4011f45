import type {
  BasePayload,
  Field,
  FieldHook,
  NumberField,
  PayloadRequest,
  TextField,
  TextFieldValidation,
} from 'payload'
import { variableName } from '../../settings/environment-reference.js'
import type { SettingChoice } from '../../settings/setting-choice.js'
import type { IsAdmin } from './admin-access.js'
import { label, type TranslationKey } from './label.js'
import { encryptedText } from './secret-text.js'

/** What the admin's form shows in place of a secret. */
export const secretMask = '••••••••'

/** What the settings get from the plugin. */
export interface SettingsParts {
  isAdmin: IsAdmin
  /** A word in each language of the admin. */
  say: (key: TranslationKey) => Record<string, string>
}

export interface SettingLabels {
  label: TranslationKey
  description?: TranslationKey
}

const described = ({ label: title, description }: SettingLabels) => ({
  label: label(title),
  ...(description && { admin: { description: label(description) } }),
})

// What was never saved is null in the database and means the preset; what was cleared is blank.
const blankIfCleared: FieldHook = ({ value }: { value?: unknown }) => (value === null ? '' : value)

/** A text that a merchant sets; clearing it is an answer too. */
export const textSetting = (
  name: string,
  preset: string,
  { validate, ...labels }: SettingLabels & { validate?: TextFieldValidation },
): TextField => ({
  name,
  type: 'text',
  defaultValue: preset,
  hooks: { beforeChange: [blankIfCleared] },
  ...(validate && { validate }),
  ...described(labels),
})

/**
 * Has a text picked from choices. It stays a text in the database: what can be chosen changes with
 * the store, and what was stored before stays readable.
 */
export const chosen = (
  field: TextField,
  choicesIn: (payload: BasePayload) => readonly SettingChoice<unknown>[],
): TextField => ({
  ...field,
  admin: {
    ...field.admin,
    components: {
      Field: { path: 'payload-storeconnect/rsc#ChoiceField', serverProps: { choicesIn } },
    },
  },
})

export const checkboxSetting = (name: string, preset: boolean, labels: SettingLabels): Field => ({
  name,
  type: 'checkbox',
  defaultValue: preset,
  ...described(labels),
})

/** A number from zero on. */
export const countSetting = (name: string, preset: number, labels: SettingLabels): NumberField => ({
  name,
  type: 'number',
  min: 0,
  defaultValue: preset,
  ...described(labels),
})

/** Several texts; none is an answer too. */
export const textsSetting = (
  name: string,
  presets: readonly string[],
  labels: SettingLabels,
): Extract<TextField, { hasMany: true }> => ({
  name,
  type: 'text',
  hasMany: true,
  defaultValue: [...presets],
  ...described(labels),
})

interface HookArguments {
  value?: unknown
  req: PayloadRequest
}

/**
 * Kept encrypted with the store's secret, unless it names an environment variable, and sent to the
 * browser as dots alone. The dots coming back mean "as it was".
 */
export function secretSetting(
  globalSlug: string,
  { name, preset, ...labels }: SettingLabels & { name: string; preset: string },
): TextField {
  const mask: FieldHook = ({ value }: HookArguments) =>
    typeof value === 'string' && value !== '' && variableName(value) === undefined
      ? secretMask
      : value

  const keepOrEncrypt: FieldHook = async ({ value, req }: HookArguments) => {
    const text = typeof value === 'string' ? value : ''
    // Dots mean "as it was", and so does nothing where nothing was saved: the preset stays in force.
    if (text === secretMask || value === null || value === undefined) {
      const stored: Record<string, unknown> = await req.payload.db.findGlobal({
        slug: globalSlug,
        req,
      })
      const kept = stored[name] ?? null
      return text === secretMask || kept === null ? kept : ''
    }
    const isPlain = text === '' || variableName(text) !== undefined
    return isPlain ? text : encryptedText(req.payload, text)
  }

  const { admin, ...titled } = described(labels)
  return {
    name,
    type: 'text',
    defaultValue: preset === '' || variableName(preset) !== undefined ? preset : secretMask,
    hooks: { afterRead: [mask], beforeChange: [keepOrEncrypt] },
    ...titled,
    admin: { ...admin, autoComplete: 'off' },
  }
}
