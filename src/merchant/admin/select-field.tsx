'use client'

import {
  ReactSelect,
  type FieldType,
  useField,
  useFormFields,
  type ReactSelectOption,
} from '@payloadcms/ui'
import type { TextFieldClientProps } from 'payload'
import { useId, type ComponentProps, type ReactNode } from 'react'
import { choicesUnder, type SettingChoice } from '../../core/payload/setting-choice.js'
import { FieldFrame, fieldId } from './field-frame.js'
import { useWords } from './use-words.js'

interface SelectFieldProps {
  field: TextFieldClientProps['field']
  state: FieldType<unknown>
  select: ComponentProps<typeof ReactSelect>
  /** Screen readers announce it when it changes. */
  note?: ReactNode
}

/** A select like Payload's own, whose label belongs to its control, and with a note. */
export function SelectField({ field, state, select, note }: SelectFieldProps) {
  const inputId = useId()
  return (
    <FieldFrame className="select" id={fieldId(state.path)} {...{ field, inputId, note, state }}>
      <ReactSelect {...select} {...{ inputId }} showError={state.showError} />
    </FieldFrame>
  )
}

/** What the select passes: null when the last option is removed. */
export type Picked = ReactSelectOption | ReactSelectOption[] | null

export const valuesOf = (picked: Picked): string[] =>
  [picked ?? []].flat().map(({ value }) => String(value))

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

  const onChange = (picked: Picked) => {
    const values = valuesOf(picked)
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
