import type { BasePayload, TextFieldServerProps } from 'payload'
import type { SettingChoice } from '../../core/payload/setting-choice.js'
import { ChoiceSelect } from './choice-select.js'
import { fieldForReader, labelText } from './field-for-reader.js'

type ChoiceFieldProps = TextFieldServerProps & {
  choicesIn: (payload: BasePayload) => readonly SettingChoice<unknown>[]
  path: string
}

/** The field of a setting that names a part of the store. It offers the store's parts to choose. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { choicesIn, i18n, path, payload, readOnly = false } = props
  const choices = choicesIn(payload).map((choice) => ({
    ...choice,
    label: labelText(choice.label, i18n),
  }))
  return (
    <ChoiceSelect choices={choices} field={fieldForReader(props)} path={path} readOnly={readOnly} />
  )
}
