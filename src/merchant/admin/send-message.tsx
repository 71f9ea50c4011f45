'use client'

import { FieldLabel, useField } from '@payloadcms/ui'
import type { JSONFieldClientComponent } from 'payload'
import { useId } from 'react'
import { useWords } from './use-words.js'

/** A message as text. Payload's own JSON editor loads from another host, and nobody edits a message. */
export const SendMessage: JSONFieldClientComponent = ({ path }) => {
  const { translate } = useWords()
  const { value } = useField<unknown>({ path })
  const labelId = useId()
  return (
    <div className="field-type">
      {/* A `label` element belongs to a control, and this text is none. */}
      <div id={labelId}>
        <FieldLabel as="span" label={translate('sendMessage')} />
      </div>
      <pre
        aria-labelledby={labelId}
        role="region"
        style={{ overflowX: 'auto', whiteSpace: 'pre-wrap', wordBreak: 'break-word' }}
        tabIndex={0}
      >
        {JSON.stringify(value, null, 2)}
      </pre>
    </div>
  )
}
