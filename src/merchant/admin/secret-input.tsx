'use client'

import { Button, useField } from '@payloadcms/ui'
import type { TextFieldClientProps } from 'payload'
import { useState } from 'react'
import { secretMask } from '../../core/payload/secret-mask.js'
import { FieldFrame, fieldId } from './field-frame.js'
import { useWords } from './use-words.js'

interface SecretInputProps {
  field: TextFieldClientProps['field']
  path: string
  readOnly: boolean
}

/** A text that nobody reads over the shoulder. The name of an environment variable is no secret. */
export function SecretInput({ field, path, readOnly }: SecretInputProps) {
  const state = useField<string>({ potentiallyStalePath: path })
  const { disabled, setValue, value = '' } = state
  const { translate } = useWords()
  const [isShown, show] = useState(false)
  const inputId = fieldId(path)
  const isSecret = value !== '' && value !== secretMask && !value.startsWith('$')

  return (
    <FieldFrame className="text" {...{ field, inputId, state }}>
      <div style={{ display: 'flex', gap: 'calc(var(--base, 1.25rem) * 0.5)' }}>
        <input
          autoComplete="off"
          disabled={readOnly || disabled}
          id={inputId}
          name={path}
          onChange={({ target }) => setValue(target.value)}
          spellCheck={false}
          style={{ flex: 1 }}
          type={isSecret && !isShown ? 'password' : 'text'}
          value={value}
        />
        {isSecret && (
          <Button
            aria-pressed={isShown}
            buttonStyle="secondary"
            margin={false}
            onClick={() => show(!isShown)}
          >
            {translate(isShown ? 'secretHide' : 'secretShow')}
          </Button>
        )}
      </div>
    </FieldFrame>
  )
}
