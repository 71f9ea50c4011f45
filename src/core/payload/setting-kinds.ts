import type {
  BasePayload,
  Field,
  FieldHook,
  PayloadRequest,
  TextField,
  TextFieldValidation,
} from 'payload'
import * as z from 'zod/mini'
import { variableName } from './environment-reference.js'
import { label, type TranslationKey } from './label.js'
import { secretMask } from './secret-mask.js'
import type { SettingChoice } from './setting-choice.js'
import type { Setting, SettingField, SettingView } from './settings-table.js'

const yesOrNo = z.boolean()
const text = z.string()

export const described = (name: TranslationKey, { description }: SettingView) => ({
  label: label(name),
  ...(description && { admin: { description: label(description) } }),
})

export const checkboxSetting = (byDefault: boolean, view: SettingView): Setting<boolean> => ({
  ...view,
  schema: z._default(yesOrNo, byDefault),
  field: ({ name, preset }) => ({
    name,
    type: 'checkbox',
    defaultValue: preset,
    ...described(name, view),
  }),
  read: (stored, preset) => Boolean(stored ?? preset),
})

export const checkboxesSetting = <Name extends TranslationKey>(
  byDefault: Readonly<Record<Name, boolean>>,
  view: SettingView,
): Setting<Record<Name, boolean>> => {
  const boxes = Object.entries<boolean>(byDefault).map(([name, isOn]) => ({
    name: name as Name,
    box: checkboxSetting(isOn, {}),
  }))
  const eachBox = <Value>(valueOf: (box: (typeof boxes)[number]) => Value) =>
    Object.fromEntries(boxes.map((each) => [each.name, valueOf(each)])) as Record<Name, Value>
  const schemas: Record<string, z.ZodMiniType> = eachBox(({ box }) => box.schema)
  return {
    ...view,
    schema: z.prefault(z.strictObject(schemas), {}) as unknown as z.ZodMiniType<
      Record<Name, boolean>
    >,
    field: ({ name, preset, parts }) => ({
      name,
      type: 'group',
      ...described(name, view),
      fields: boxes.map(({ name, box }) => box.field({ name, preset: preset[name], parts })),
    }),
    read(stored, presets) {
      const saved = (stored ?? {}) as Partial<Record<Name, unknown>>
      return eachBox(({ name, box }) => box.read(saved[name], presets[name]))
    },
  }
}

interface CountView extends SettingView {
  /** Default 0. */
  least?: number
  /** Default a million: dates can still be written that are a million hours or days away. */
  most?: number
}

/** A whole number. One that was stored before it had to be whole counts without its fraction. */
export const countSetting = (
  byDefault: number,
  { least = 0, most = 1_000_000, ...view }: CountView,
): Setting<number> => ({
  ...view,
  schema: z._default(z.int().check(z.minimum(least), z.maximum(most)), byDefault),
  field: ({ name, preset }) => ({
    name,
    type: 'number',
    min: least,
    max: most,
    defaultValue: preset,
    validate: (value: unknown, { req }: { req: PayloadRequest }) =>
      value === null ||
      value === undefined ||
      (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) ||
      label('countInvalid', { least: String(least), most: String(most) })(req),
    ...described(name, view),
  }),
  read(stored, preset) {
    const count = Math.floor(Number(stored ?? preset))
    return Number.isFinite(count) && count >= least && count <= most ? count : byDefault
  },
})

/** One of a few values, each with the text that says it. */
export const choiceSetting = <Value extends string>(
  texts: Readonly<Record<Value, TranslationKey>>,
  byDefault: NoInfer<Value>,
  view: SettingView,
): Setting<Value> => {
  const values = Object.keys(texts) as Value[]
  return {
    ...view,
    schema: z._default(z.enum(values), byDefault),
    field({ name, preset }) {
      const { admin, ...titled } = described(name, view)
      return {
        name,
        type: 'radio',
        options: values.map((value) => ({ value, label: label(texts[value]) })),
        defaultValue: preset,
        ...titled,
        // Beside each other, long texts do not fit on a phone.
        admin: { ...admin, layout: 'vertical' },
      }
    },
    read: (stored, preset) => values.find((value) => value === stored) ?? preset,
  }
}

interface TextView extends SettingView {
  maxLength?: number
  validate?: TextFieldValidation
}

/** A text without the spaces around it. */
export const textSetting = (byDefault: string, view: TextView): Setting<string> => ({
  ...view,
  schema: z._default(text, byDefault),
  field: (about) => textField(about, view),
  read: (stored, preset) => String(stored ?? preset).trim(),
})

// In the database, null means "never saved" and gives the preset, so a cleared text is saved as blank.
const blankIfCleared: FieldHook = ({ value }: { value?: unknown }) => (value === null ? '' : value)

/** The field of a text setting. A merchant may clear it; it is then blank and not the preset. */
export const textField = (
  { name, preset }: SettingField<number | string | null>,
  { maxLength, validate, ...view }: TextView,
): TextField => ({
  name,
  type: 'text',
  defaultValue: String(preset ?? ''),
  hooks: { beforeChange: [blankIfCleared] },
  ...(maxLength !== undefined && { maxLength }),
  ...(validate && { validate }),
  ...described(name, view),
})

/**
 * Lets merchants pick from choices. The column stays a plain text, as the choices change and stored values stay
 * readable.
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

type TextsField = Extract<TextField, { hasMany: true }>

/** A list of texts. It may be empty. */
export const textsSetting = ({
  shownAs = (field) => field,
  ...view
}: SettingView & { shownAs?: (field: TextsField) => Field }): Setting<readonly string[]> => ({
  ...view,
  schema: z._default(z.array(text), []),
  field: ({ name, preset }) =>
    shownAs({
      name,
      type: 'text',
      hasMany: true,
      defaultValue: [...preset],
      ...described(name, view),
    }),
  read: (stored, presets) =>
    listOf(stored, presets)
      .map((text) => String(text ?? '').trim())
      .filter(Boolean),
})

/** The stored list, or the preset when none was ever saved. A cleared list is empty. */
export const listOf = (stored: unknown, presets: readonly unknown[]): readonly unknown[] =>
  stored === undefined ? presets : Array.isArray(stored) ? stored : []

/** A text that keeps the spaces around it. */
export const credentialSetting = (view: SettingView): Setting<string> => ({
  ...textSetting('', view),
  read: (stored, preset) => String(stored ?? preset),
})

/**
 * A text that is stored encrypted, unless it names an environment variable. The browser gets only dots, which
 * change nothing.
 */
export const secretSetting = (view: SettingView): Setting<string> => ({
  ...credentialSetting(view),
  reveal: readSecretText,
  field({ name, preset }) {
    const { admin, ...titled } = described(name, view)
    return {
      name,
      type: 'text',
      defaultValue: shown(preset),
      hooks: { afterRead: [mask], beforeChange: [keepOrEncrypt] },
      ...titled,
      admin: { ...admin, components: { Field: 'payload-storeconnect/rsc#SecretField' } },
    }
  },
})

/** A blank text and the name of a variable are no secrets. */
const isPlain = (text: string) => text === '' || variableName(text) !== undefined

const shown = (secret: string) => (isPlain(secret) ? secret : secretMask)

const mask: FieldHook = ({ value }: { value?: unknown }) =>
  typeof value === 'string' ? shown(value) : value

const keepOrEncrypt: FieldHook = async ({ value, field, global, req }) => {
  const given: unknown = value
  const text = typeof given === 'string' ? given : ''
  // Dots keep what is stored. No value keeps the preset as long as nothing was saved.
  if (text === secretMask || given === null || given === undefined) {
    const slug = global?.slug ?? ''
    const stored: Record<string, unknown> = await req.payload.db.findGlobal({ slug, req })
    const kept = stored[String(field.name)] ?? null
    return text === secretMask || kept === null ? kept : ''
  }
  return isPlain(text) ? text : encryptedText(req.payload, text)
}

const encryptedPrefix = 'encrypted:'

/** Every secret begins with this mark when it is decrypted. With another PAYLOAD_SECRET the mark is missing. */
const clearMark = 'storeconnect:'

const encryptedText = (payload: BasePayload, text: string): string =>
  encryptedPrefix + payload.encrypt(clearMark + text)

/** Decrypts a secret setting. Undefined when it was saved with another PAYLOAD_SECRET. */
export function readSecretText(payload: BasePayload, text: string): string | undefined {
  if (!text.startsWith(encryptedPrefix)) return text
  const clear = decrypted(payload, text.slice(encryptedPrefix.length))
  return clear?.startsWith(clearMark) ? clear.slice(clearMark.length) : undefined
}

/** With another PAYLOAD_SECRET Payload 3 gives another text, and Payload 4 throws. */
function decrypted(payload: BasePayload, text: string): string | undefined {
  try {
    return payload.decrypt(text)
  } catch {
    return undefined
  }
}
