'use client'

import {
  FieldDescription,
  FieldError,
  FieldLabel,
  ReactSelect,
  RenderCustomComponent,
  type FieldType,
} from '@payloadcms/ui'
import type { TextFieldClientProps } from 'payload'
import { useId, type ComponentProps, type ReactNode } from 'react'

interface SelectFieldProps {
  field: TextFieldClientProps['field']
  state: FieldType<unknown>
  select: ComponentProps<typeof ReactSelect>
  /** Screen readers announce it when it changes. */
  note?: ReactNode
}

/** A select like Payload's own, whose label belongs to its control, and with a note. */
export function SelectField({ field, state, select, note }: SelectFieldProps) {
  const { admin = {}, label = '', localized = false, required = false } = field
  const { customComponents: components = {}, path, showError } = state
  const inputId = useId()
  const classes = ['field-type', 'select', admin.className, showError && 'error']

  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      id={`field-${path.replaceAll('.', '__')}`}
      style={admin.style}
    >
      <RenderCustomComponent
        CustomComponent={components.Label}
        Fallback={<FieldLabel {...{ label, localized, path, required }} htmlFor={inputId} />}
      />
      <div className="field-type__wrap">
        <RenderCustomComponent
          CustomComponent={components.Error}
          Fallback={<FieldError path={path} showError={showError} />}
        />
        {components.BeforeInput}
        <ReactSelect {...select} {...{ inputId, showError }} />
        {components.AfterInput}
      </div>
      {note !== undefined && (
        // The note has the full text colour: it says what to do, while a description only helps.
        <div
          aria-live="polite"
          className="field-description storeconnect-note"
          style={{ color: 'var(--theme-text, var(--color-text))' }}
        >
          {note}
        </div>
      )}
      <RenderCustomComponent
        CustomComponent={components.Description}
        Fallback={<FieldDescription description={admin.description ?? ''} path={path} />}
      />
    </div>
  )
}
