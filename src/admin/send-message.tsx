'use client'

import { FieldLabel, useField } from '@payloadcms/ui'
import type { JSONFieldClientComponent } from 'payload'

/** A message as text. Payload's own JSON editor is loaded from elsewhere, and nobody edits here. */
export const SendMessage: JSONFieldClientComponent = ({ field, path }) => {
  const { value } = useField<unknown>({ path })
  return (
    <div className="field-type">
      <FieldLabel htmlFor={path} label={field.label ?? ''} />
      <pre id={path} style={{ overflowX: 'auto', whiteSpace: 'pre-wrap', wordBreak: 'break-word' }}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </div>
  )
}
