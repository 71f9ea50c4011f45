'use client'

import { TextInput } from '@payloadcms/ui'

interface TextBoxProps {
  /** Unique on the page. */
  name: string
  label: string
  value: string
  change: (value: string) => void
}

/** Payload's text field, for a form that is no document. */
export const TextBox = ({ name, label, value, change }: TextBoxProps) => (
  <TextInput
    hasMany={false}
    label={label}
    onChange={(event) => change(event.target.value)}
    path={`overview-${name}`}
    value={value}
  />
)
