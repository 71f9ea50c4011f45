import type { BasePayload, Field, TextFieldValidation } from 'payload'
import {
  ownBlocks,
  fieldPaths,
  findField,
  type NamedField,
} from '../../core/payload/field-search.js'
import type { FieldNames, ShopNames } from '../../core/shop-names.js'
import { choicesUnder, settingText, type SettingChoice } from '../../core/payload/setting-choice.js'
import { valueAt } from '../../core/payload/document-value.js'
import { label, type TranslationKey } from '../../core/payload/label.js'
import { chosen, textField, textSetting } from '../../core/payload/setting-kinds.js'
import { fieldsOfOrders } from './order-fields.js'
import type { Setting, SettingView } from '../../core/payload/settings-table.js'

type Choice = SettingChoice<unknown>

/** The fields, statuses and blocks of the orders that settings can name, with the store's labels. */
export interface OrderChoices {
  dropdowns: readonly Choice[]
  statuses: readonly Choice[]
  /** The fields that can hold a tracking entry. */
  entryLists: readonly Choice[]
  entryTypes: readonly Choice[]
  entryTexts: readonly Choice[]
  /** The fields with one value that ShipStation can show. */
  values: readonly Choice[]
}

export interface OrderChoice {
  offers: keyof OrderChoices
  /** The message for a name that the orders do not have. */
  unknown: TranslationKey
  mayBeBlank?: true
}

export const orderChoiceSetting = (
  byDefault: string,
  view: SettingView & OrderChoice,
): Setting<string, { choicesIn: (payload: BasePayload) => OrderChoices }> & OrderChoice => ({
  ...textSetting(byDefault, view),
  ...view,
  field(about) {
    const { choicesIn } = about.parts
    const validate: TextFieldValidation = (value, { data, req }) => {
      const among = { settings: data, choices: choicesIn(req.payload) }
      const problem = choiceProblem(view, value, among)
      return problem === undefined || label(problem)(req)
    }
    const field = textField(about, { ...view, validate })
    return chosen(field, (payload) => choicesIn(payload)[view.offers])
  },
})

export function orderChoices(
  orderFields: readonly Field[],
  { status, items }: Pick<FieldNames, 'status' | 'items'>,
): OrderChoices {
  const paths = fieldPaths(orderFields).filter(({ field }) => !isHidden(field))
  const entries = paths.filter(({ path }) => path !== items).flatMap(entriesOf)
  return {
    dropdowns: paths.filter(({ field }) => isDropdown(field)).map(asChoice),
    statuses: statusChoices(orderFields, status),
    entryLists: paths
      .filter(({ path }) => entries.some(({ when }) => when.matrixField === path))
      .map(asChoice),
    entryTypes: entries.flatMap(({ when: { matrixField, entryType }, label }) =>
      entryType === undefined ? [] : [{ value: entryType, label, when: { matrixField } }],
    ),
    entryTexts: entries.flatMap(({ when, texts }) =>
      texts.map((text): Choice => ({ ...text, when })),
    ),
    values: paths.filter(({ field }) => hasOneValue(field)).map(asChoice),
  }
}

export function statusChoices(orderFields: readonly Field[], status: string): Choice[] {
  const field = findField(orderFields, status)
  if (field?.type !== 'select' && field?.type !== 'radio') return []
  return field.options.map((option) =>
    typeof option === 'string' ? { value: option, label: option } : option,
  )
}

export function choiceProblem(
  { offers, unknown, mayBeBlank }: OrderChoice,
  value: unknown,
  { settings, choices }: { settings: Readonly<Record<string, unknown>>; choices: OrderChoices },
): TranslationKey | undefined {
  const name = settingText(value)
  const offered = choicesUnder(choices[offers], (setting) => settings[setting])
  // An array has no entry types, and a wrong Matrix field is reported once, for its own setting.
  if (offered.length === 0 && ofEntries.has(offers)) return undefined
  if (name === '') return mayBeBlank ? undefined : 'settingNeeded'
  return offered.some((choice) => choice.value === name) ? undefined : unknown
}

const ofEntries: ReadonlySet<keyof OrderChoices> = new Set(['entryTypes', 'entryTexts'])

export const hasStoreField = (orderFields: readonly Field[], name: string): boolean =>
  fieldPaths(orderFields).some(({ path, field }) => path === name && isDropdown(field))

const isDropdown = (field: NamedField): boolean =>
  (field.type === 'radio' || field.type === 'select') && isOneStored(field)

/** Whether the row of the document has the value: not several, none for each language, none that a hook makes. */
const isOneStored = (field: NamedField): boolean =>
  !['hasMany', 'localized', 'virtual'].some((name) => Boolean(valueAt(field, name)))

const typesOfOneValue: ReadonlySet<string> = new Set(['text', 'textarea', 'email', 'number'])

const hasOneValue = (field: NamedField): boolean =>
  (typesOfOneValue.has(field.type) && isOneStored(field)) || isDropdown(field)

interface Entry {
  when: { matrixField: string; entryType?: string }
  label: unknown
  texts: Choice[]
}

/** The places that can hold a tracking entry: an array or a block that has text fields. */
function entriesOf({ path: matrixField, field }: { path: string; field: NamedField }): Entry[] {
  const entries: Entry[] =
    field.type === 'array'
      ? [{ when: { matrixField }, label: field.label, texts: textsOf(field.fields) }]
      : field.type === 'blocks'
        ? ownBlocks(field).map(({ slug, labels, fields }) => ({
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
  !isHidden(field) && (field.type === 'textarea' || field.type === 'text') && isOneStored(field)

const isHidden = (field: NamedField): boolean => valueAt(field, 'admin.hidden') === true

const asChoice = ({ path, field }: { path: string; field: NamedField }): Choice => ({
  value: path,
  label: ('label' in field && field.label) || path,
})

/** What the orders offer for settings. It reads the final config, because later plugins may add fields. */
export const choicesIn = (options: ShopNames) => (payload: BasePayload) =>
  orderChoices(fieldsOfOrders(payload, options), options.fields)

/** What a setting that names statuses of orders chooses from. */
export type OrderStatuses = ReturnType<typeof orderStatuses>

export const orderStatuses = (options: ShopNames) => ({
  statusesIn: (payload: BasePayload): readonly Choice[] => choicesIn(options)(payload).statuses,
})
