import type { BasePayload, TextFieldServerProps } from 'payload'
import type { SettingChoice } from '../settings/setting-choice.js'
import { ChoiceSelect } from './choice-select.js'

type ChoiceFieldProps = TextFieldServerProps & {
  choicesIn: (payload: BasePayload) => readonly SettingChoice<unknown>[]
  path: string
}

/** A setting that names something of the store: offers what there is, in the admin's language. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { choicesIn, clientField, i18n, path, payload, readOnly = false } = props
  const choices = choicesIn(payload).map((choice) => ({
    ...choice,
    label: labelText(choice.label, i18n),
  }))
  return <ChoiceSelect choices={choices} field={clientField} path={path} readOnly={readOnly} />
}

/** A label as a config has it: a text, one for each language, or a function that says it. */
function labelText(label: unknown, i18n: TextFieldServerProps['i18n']): string {
  if (typeof label === 'function') {
    return String((label as (about: object) => unknown)({ i18n, t: i18n.t }))
  }
  if (typeof label !== 'object' || label === null) return String(label)
  const texts = label as Record<string, string>
  return texts[i18n.language] ?? texts[i18n.fallbackLanguage] ?? Object.values(texts)[0] ?? ''
}
