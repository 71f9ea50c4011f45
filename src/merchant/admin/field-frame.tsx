'use client'

import {
  FieldDescription,
  FieldError,
  FieldLabel,
  RenderCustomComponent,
  type FieldType,
} from '@payloadcms/ui'
import { mergeFieldStyles } from '@payloadcms/ui/shared'
import type { TextFieldClientProps } from 'payload'
import type { ReactNode } from 'react'

interface FieldFrameProps {
  field: TextFieldClientProps['field']
  state: FieldType<unknown>
  /** Payload's class of such a field. */
  className: 'select' | 'text'
  inputId: string
  /** The id of the frame, where the control has not the one that Payload gives it. */
  id?: string | undefined
  /** Screen readers announce it when it changes. */
  note?: ReactNode
  children: ReactNode
}

/** As Payload makes it. */
export const fieldId = (path: string) => `field-${path.replaceAll('.', '__')}`

/** What Payload shows around the control of a field: its label, error and description. */
export function FieldFrame(props: FieldFrameProps) {
  const { field, state, className, inputId, id, note, children } = props
  const { admin = {}, label = '', localized = false, required = false } = field
  const { customComponents: components = {}, path, showError } = state
  const classes = ['field-type', className, admin.className, showError && 'error']

  return (
    <div className={classes.filter(Boolean).join(' ')} id={id} style={mergeFieldStyles(field)}>
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
        {children}
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
