'use client'

import {
  ReactSelect,
  useField,
  useFormFields,
  useTranslation,
  type ReactSelectOption,
} from '@payloadcms/ui'
import type { TextFieldClientProps } from 'payload'
import { useId } from 'react'
import { choicesUnder, type SettingChoice } from '../settings/setting-choice.js'
import { FieldFrame } from './field-frame.js'
import { translateBy } from './translate.js'

interface ChoiceSelectProps {
  choices: readonly SettingChoice<string>[]
  field: TextFieldClientProps['field']
  path: string
  readOnly: boolean
}

/** A text picked from choices, which may hang on the other settings of the form. */
export function ChoiceSelect(props: ChoiceSelectProps) {
  const { choices, field, path: givenPath, readOnly } = props
  const { customComponents, disabled, path, setValue, showError, value } = useField<string>({
    potentiallyStalePath: givenPath,
  })
  const offered = useFormFields(([fields]) =>
    choicesUnder(choices, (setting) => fields[setting]?.value),
  )
  const { t } = useTranslation()
  const inputId = useId()
  const options = offered.map((choice) => ({ value: choice.value, label: choice.label }))
  const chosen = options.find((option) => option.value === value?.trim())
  // What does not exist is shown, so that it can be seen and put right.
  const gone = value ? [{ value, label: translateBy(t)('settingGone', { value }) }] : []

  if (offered.length === 0) return null

  const change = (picked: ReactSelectOption | ReactSelectOption[] | null) =>
    setValue(String([picked ?? []].flat()[0]?.value ?? ''))

  return (
    <FieldFrame
      components={customComponents}
      field={field}
      inputId={inputId}
      path={path}
      showError={showError}
    >
      <ReactSelect
        disabled={readOnly || disabled}
        inputId={inputId}
        isClearable
        onChange={change}
        options={options}
        showError={showError}
        value={chosen ?? gone}
      />
    </FieldFrame>
  )
}
