'use client'

import { useField, useFormFields, type ReactSelectOption } from '@payloadcms/ui'
import type { TextFieldClientProps } from 'payload'
import { choicesUnder, type SettingChoice } from '../payload/setting-choice.js'
import { SelectField } from './select-field.js'
import { useWords } from './use-words.js'

interface ChoiceSelectProps {
  choices: readonly SettingChoice<string>[]
  field: TextFieldClientProps['field']
  path: string
  readOnly: boolean
}

/** A select for a text. Its choices may depend on the other settings of the form. */
export function ChoiceSelect({ choices, field, path, readOnly }: ChoiceSelectProps) {
  const state = useField<string>({ potentiallyStalePath: path })
  const { disabled, setValue, value } = state
  const offered = useFormFields(([fields]) =>
    choicesUnder(choices, (setting) => fields[setting]?.value),
  )
  const { translate } = useWords()
  const options = offered.map((choice) => ({ value: choice.value, label: choice.label }))
  const chosen = options.find((option) => option.value === value?.trim())
  // A stored value that no longer exists stays visible, so that the merchant can correct it.
  const gone = value ? [{ value, label: translate('settingGone', { value }) }] : []

  if (offered.length === 0) return null

  const onChange = (picked: ReactSelectOption | ReactSelectOption[] | null) =>
    setValue(String([picked ?? []].flat()[0]?.value ?? ''))

  return (
    <SelectField
      field={field}
      select={{
        disabled: readOnly || disabled,
        isClearable: true,
        onChange,
        options,
        value: chosen ?? gone,
      }}
      state={state}
    />
  )
}
