import type { Field } from 'payload'
import type { FieldNames } from '../../options/options.js'
import { choicesUnder, settingText, type SettingChoice } from '../../settings/setting-choice.js'
import { valueAt } from './document-value.js'
import { fieldPaths, findField, type NamedField } from './field-search.js'
import type { TranslationKey } from './label.js'

type Choice = SettingChoice<unknown>

/** The shipping settings that name something of the orders, and what is said of a name that is not there. */
const unknownNames = {
  storeField: 'storeFieldUnknown',
  statusHandle: 'statusUnknown',
  matrixField: 'matrixFieldUnknown',
  entryType: 'entryTypeUnknown',
  carrierField: 'entryFieldUnknown',
  serviceField: 'entryFieldUnknown',
  trackingNumberField: 'entryFieldUnknown',
} as const satisfies Record<string, TranslationKey>

export type ChosenSetting = keyof typeof unknownNames

export const chosenSettings = Object.keys(unknownNames) as ChosenSetting[]

const hangsOnMatrixField: ReadonlySet<ChosenSetting> = new Set([
  'entryType',
  'carrierField',
  'serviceField',
  'trackingNumberField',
])

/** What each of these settings can name, labels as the store has them. */
export type OrderChoices = Readonly<Record<ChosenSetting, readonly Choice[]>>

export function orderChoices(
  orderFields: readonly Field[],
  { status, items }: Pick<FieldNames, 'status' | 'items'>,
): OrderChoices {
  const paths = fieldPaths(orderFields).filter(({ field }) => !isHidden(field))
  const entries = paths.filter(({ path }) => path !== items).flatMap(entriesOf)
  const entryFields = entries.flatMap(({ when, texts }) =>
    texts.map((text): Choice => ({ ...text, when })),
  )
  return {
    storeField: paths.filter(({ field }) => isDropdown(field)).map(asChoice),
    statusHandle: statusChoices(orderFields, status),
    matrixField: paths
      .filter(({ path }) => entries.some(({ when }) => when.matrixField === path))
      .map(asChoice),
    entryType: entries.flatMap(({ when: { matrixField, entryType }, label }) =>
      entryType === undefined ? [] : [{ value: entryType, label, when: { matrixField } }],
    ),
    carrierField: entryFields,
    serviceField: entryFields,
    trackingNumberField: entryFields,
  }
}

/** The orders' statuses. */
export function statusChoices(orderFields: readonly Field[], status: string): Choice[] {
  const field = findField(orderFields, status)
  if (field?.type !== 'select' && field?.type !== 'radio') return []
  return field.options.map((option) =>
    typeof option === 'string' ? { value: option, label: option } : option,
  )
}

/** Why a setting cannot be as it is; undefined where it can. */
export function choiceProblem(
  setting: ChosenSetting,
  settings: Readonly<Record<string, unknown>>,
  choices: OrderChoices,
): TranslationKey | undefined {
  const value = settingText(settings[setting])
  const offered = choicesUnder(choices[setting], (name) => settings[name])
  // An array has no entry types; and of a Matrix field that is wrong, that is told alone.
  if (offered.length === 0 && hangsOnMatrixField.has(setting)) return undefined
  if (value === '') return setting === 'storeField' ? undefined : 'settingNeeded'
  return offered.some((choice) => choice.value === value) ? undefined : unknownNames[setting]
}

/** Whether a field holds one of several choices. */
export const isDropdown = (field: NamedField | undefined): boolean =>
  field?.type === 'radio' || (field?.type === 'select' && field.hasMany !== true)

interface Entry {
  /** The settings that name it. */
  when: { matrixField: string; entryType?: string }
  label: unknown
  /** Its text fields. */
  texts: Choice[]
}

/** What a tracking entry can be in: an array, or one of the blocks of a field, with texts in it. */
function entriesOf({ path: matrixField, field }: { path: string; field: NamedField }): Entry[] {
  const entries: Entry[] =
    field.type === 'array'
      ? [{ when: { matrixField }, label: field.label, texts: textsOf(field.fields) }]
      : field.type === 'blocks'
        ? field.blocks.map(({ slug, labels, fields }) => ({
            when: { matrixField, entryType: slug },
            label: labels?.singular ?? slug,
            texts: textsOf(fields),
          }))
        : []
  return entries.filter(({ texts }) => texts.length > 0)
}

const textsOf = (fields: readonly Field[]): Choice[] =>
  fieldPaths(fields)
    .filter(({ path, field }) => isText(field) && path !== 'blockName')
    .map(asChoice)

const isText = (field: NamedField): boolean =>
  !isHidden(field) &&
  (field.type === 'textarea' || (field.type === 'text' && field.hasMany !== true))

const isHidden = (field: NamedField): boolean => valueAt(field, 'admin.hidden') === true

const asChoice = ({ path, field }: { path: string; field: NamedField }): Choice => ({
  value: path,
  label: ('label' in field && field.label) || path,
})
