'use client'

import { useField, useFormFields, type ReactSelectOption } from '@payloadcms/ui'
import type { TextFieldClientProps } from 'payload'
import { choicesUnder, type SettingChoice } from '../../core/payload/setting-choice.js'
import { SelectField } from './select-field.js'
import { useWords } from './use-words.js'

interface ChoiceSelectProps {
  choices: readonly SettingChoice<string>[]
  field: TextFieldClientProps['field']
  path: string
  readOnly: boolean
}

/** A select for a text, or for several. Its choices may depend on the other settings of the form. */
export function ChoiceSelect({ choices, field, path, readOnly }: ChoiceSelectProps) {
  const { hasMany = false } = field
  const state = useField<string | string[]>({ potentiallyStalePath: path })
  const { disabled, setValue, value } = state
  const offered = useFormFields(([fields]) =>
    choicesUnder(choices, (setting) => fields[setting]?.value),
  )
  const { translate } = useWords()
  const options = offered.map((choice) => ({ value: choice.value, label: choice.label }))
  // A stored value that no longer exists stays visible, so that the merchant can correct it.
  const chosen = [value ?? []].flat().flatMap((stored) => {
    const option = options.find((offer) => offer.value === stored.trim())
    if (option !== undefined || stored === '') return option ?? []
    return { value: stored, label: translate('settingGone', { value: stored }) }
  })

  if (offered.length === 0) return null

  const onChange = (picked: ReactSelectOption | ReactSelectOption[] | null) => {
    const values = [picked ?? []].flat().map((option) => String(option.value))
    setValue(hasMany ? values : (values[0] ?? ''))
  }

  return (
    <SelectField
      field={field}
      select={{
        disabled: readOnly || disabled,
        isClearable: true,
        isMulti: hasMany,
        onChange,
        options,
        value: chosen,
      }}
      state={state}
    />
  )
}
