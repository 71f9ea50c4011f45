import type { BasePayload, TextFieldServerProps } from 'payload'
import type { SettingChoice } from '../payload/setting-choice.js'
import { ChoiceSelect } from './choice-select.js'

type ChoiceFieldProps = TextFieldServerProps & {
  choicesIn: (payload: BasePayload) => readonly SettingChoice<unknown>[]
  path: string
}

/** The field of a setting that names a part of the store. It offers the store's parts to choose. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { choicesIn, clientField, i18n, path, payload, readOnly = false } = props
  const choices = choicesIn(payload).map((choice) => ({
    ...choice,
    label: labelText(choice.label, i18n),
  }))
  return <ChoiceSelect choices={choices} field={clientField} path={path} readOnly={readOnly} />
}

/** The text of a label. Payload's config has a text, a text for each language, or a function. */
function labelText(label: unknown, i18n: TextFieldServerProps['i18n']): string {
  if (typeof label === 'function') {
    return String((label as (about: object) => unknown)({ i18n, t: i18n.t }))
  }
  if (typeof label !== 'object' || label === null) return String(label)
  const texts = label as Record<string, string>
  return texts[i18n.language] ?? texts[i18n.fallbackLanguage] ?? Object.values(texts)[0] ?? ''
}
