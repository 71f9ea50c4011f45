'use client'

import { FieldDescription, FieldError, FieldLabel, RenderCustomComponent } from '@payloadcms/ui'
import type { FieldState, TextFieldClientProps } from 'payload'
import type { ReactNode } from 'react'

interface FrameProps {
  field: TextFieldClientProps['field']
  path: string
  /** The control that the label is for. */
  inputId: string
  showError: boolean
  /** What the store has in place of our own parts. */
  components: FieldState['customComponents']
  /** Read aloud when it changes. */
  note?: ReactNode
  children: ReactNode
}

/** Label, error and description around a control, as Payload's own fields have them. */
export function FieldFrame(props: FrameProps) {
  const { field, path, inputId, showError, components = {}, note, children } = props
  const { admin = {}, label = '', localized = false, required = false } = field
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
        {children}
        {components.AfterInput}
      </div>
      {note !== undefined && (
        // In full ink: it says what to do, where a description only helps.
        <div
          aria-live="polite"
          className="field-description storeconnect-note"
          style={{ color: 'var(--theme-elevation-800)' }}
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
